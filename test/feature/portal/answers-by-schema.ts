// An answer held against what the OpenAPI document says of it.

import { Ajv, type ValidateFunction } from 'ajv';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';

type Schema = Record<string, unknown>;
type Media = { readonly schema: Schema; readonly examples?: Record<string, { readonly value: unknown }> };
export type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly { name: string; in: string; example?: unknown }[];
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<string, { readonly content?: Record<string, Media> }>;
};
export type Document = {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Schema> };
};

type Compiler = { readonly ajv: Ajv; readonly compiled: Map<string, ValidateFunction> };
const compilers = new WeakMap<Document, Compiler>();

/** The components are compiled once, and so is every schema that several operations have. */
export function validatorOf(schema: Schema, document: Document): ValidateFunction {
  const compiler = compilers.get(document) ?? makeCompiler(document);
  compilers.set(document, compiler);
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/');
  const validate = compiler.compiled.get(text) ?? compiler.ajv.compile(JSON.parse(text));
  compiler.compiled.set(text, validate);
  return validate;
}

/** The formats that the document names, as strict as a client that reads by it. */
const FORMATS: Readonly<Record<string, RegExp | true>> = {
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  'uri-reference': /^\S*$/,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/,
  binary: true,
  password: true,
};

function makeCompiler({ components }: Document): Compiler {
  const ajv = new Ajv({ strict: false });
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
  ajv.addSchema({ $id: 'api', components });
  return { ajv, compiled: new Map() };
}

/** Undefined: the answer is as the document says. */
export function complaintAbout(reply: Reply, operation: Operation, document: Document): string | undefined {
  const described = operation.responses[String(reply.status)];
  if (described === undefined) return `the status is not described: ${textOf(reply.body).slice(0, 300)}`;
  const type = String(headerOf(reply, 'content-type') ?? '').replace(/;.*/, '');
  if (
    described.content !== undefined &&
    !Object.hasOwn(described.content, type) &&
    !Object.hasOwn(described.content, '*/*')
  )
    return `the type is not described: ${type}`;
  const schema = type === 'application/json' ? described.content?.[type]?.schema : undefined;
  if (schema === undefined) {
    return described.content === undefined && textOf(reply.body) !== ''
      ? `a body that is not described: ${textOf(reply.body).slice(0, 300)}`
      : undefined;
  }
  const validate = validatorOf(schema, document);
  if (validate(JSON.parse(textOf(reply.body)))) return undefined;
  return `${JSON.stringify(validate.errors?.slice(0, 3))}\n${textOf(reply.body).slice(0, 500)}`;
}
