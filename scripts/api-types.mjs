// TypeScript types of the portal's answers, generated from its OpenAPI document: writes web/api/portal-api.gen.ts, or with --check fails
// where that file is not what the document says. Needs neither a database nor a server. Runs from the sources: tsx scripts/api-types.mjs
//
// Our own, because openapi-typescript prints its types with the compiler's JavaScript API, which TypeScript 7 no longer has.

import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const FILE = new URL('../web/api/portal-api.gen.ts', import.meta.url);

const HEADER = `// The portal's records and answers as types. Generated from its OpenAPI document by \`npm run api-types\`; not to be edited.
`;

const REFERENCE = '#/components/schemas/';

/** Says nothing of a value's type. */
const SILENT = new Set(
  `description readOnly writeOnly format pattern minimum maximum minLength maxLength minItems maxItems default example nullable`.split(
    ' ',
  ),
);
const SPOKEN = new Set('$ref type enum oneOf anyOf items properties required additionalProperties'.split(' '));

const PRIMITIVES = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean' };

/** A schema as a type. A keyword that is not known here is refused, for what it means would be lost. */
export function typeOf(schema) {
  for (const keyword of Object.keys(schema)) {
    if (!SILENT.has(keyword) && !SPOKEN.has(keyword)) throw new Error(`the keyword ${keyword} has no type yet`);
  }
  const type = valueType(schema);
  return schema.nullable === true && !type.endsWith('null') ? `${type} | null` : type;
}

function valueType(schema) {
  if (schema.$ref !== undefined) return referred(schema.$ref);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const primitive = PRIMITIVES[schema.type];
  // Alternatives beside it only narrow it down, to formats and lengths.
  if (primitive !== undefined) return primitive;
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined) return [...new Set(alternatives.map(typeOf))].join(' | ');
  if (schema.type === 'array') return `ReadonlyArray<${typeOf(schema.items ?? {})}>`;
  if (schema.type === 'object') return objectType(schema);
  if (schema.type === undefined && schema.properties === undefined) return 'unknown';
  throw new Error(`${JSON.stringify(schema)} has no type yet`);
}

/** A component, or a member of one. */
function referred(reference) {
  if (!reference.startsWith(REFERENCE)) throw new Error(`${reference} is no component`);
  const [name, ...path] = reference.slice(REFERENCE.length).split('/');
  const members = path.filter((_, at) => at % 2 === 1);
  if (path.some((step, at) => at % 2 === 0 && step !== 'properties')) throw new Error(`${reference} is no member`);
  return members.reduce((type, member) => `NonNullable<${type}[${quoted(member)}]>`, name);
}

function objectType({ properties = {}, required = [], additionalProperties }) {
  const members = Object.entries(properties);
  if (members.length === 0) {
    const other = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Readonly<Record<string, ${other}>>`;
  }
  if (typeof additionalProperties === 'object') throw new Error('members and others beside them have no type yet');
  const lines = members.map(([name, schema]) => {
    const about = schema.description === undefined ? '' : `/** ${schema.description.replaceAll('*/', '* /')} */\n`;
    return `${about}readonly ${memberName(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`;
  });
  return `{\n${indented(lines.join('\n'))}\n}`;
}

const memberName = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));
const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const indented = (text) => text.replaceAll(/^(?=.)/gm, '  ');

/** `/api/v2/layers/{id}/` → `/api/v2/layers/{}/`: what stands for a part of the address does not matter to its answer. */
const routeOf = (path) => path.replaceAll(/\{[^}]*\}/g, '{}');

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** An answer with ids in place of related records, which the pages do not ask for. */
const isSideloaded = (schema) => schema.$ref?.startsWith(`${REFERENCE}Sideloaded`) === true;

/** What a request is answered that went well, by its successes. */
function answerSchemas(responses) {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content?.['application/json']?.schema)
    .filter((schema) => schema !== undefined)
    .map((schema) => {
      const asked = schema.anyOf?.filter((one) => !isSideloaded(one));
      return asked?.length === 1 ? asked[0] : schema;
    });
}

/** The whole file. */
export function apiTypes({ paths, components }) {
  const answers = Object.entries(paths).flatMap(([path, verbs]) =>
    METHODS.flatMap((method) => {
      const operation = verbs[method];
      if (operation === undefined) return [];
      const types = [...new Set(answerSchemas(operation.responses).map(typeOf))];
      const isEmpty = Object.entries(operation.responses).some(
        ([status, { content }]) => status.startsWith('2') && content === undefined,
      );
      const type = [...types, ...(isEmpty ? ['undefined'] : [])].join(' | ');
      return type === '' ? [] : [`readonly ${quoted(`${method.toUpperCase()} ${routeOf(path)}`)}: ${type};`];
    }),
  );
  const body = answers.join('\n');
  const records = reachable(body, components.schemas).map(([name, type]) => `export type ${name} = ${type};\n`);
  return `${HEADER}\n${records.join('\n')}\n/** What a request is answered that went well, by method and address; \`{}\` stands for an id or a name. */\nexport type Answers = {\n${indented(body)}\n};\n`;
}

/** The components that answers are made of, in the order of the document. */
function reachable(text, schemas) {
  const types = new Map();
  const visit = (found) => {
    for (const [name] of found.matchAll(/\b[A-Z]\w*/g)) {
      if (types.has(name) || schemas[name] === undefined) continue;
      types.set(name, typeOf(schemas[name]));
      visit(types.get(name).replaceAll(/\/\*\*.*\*\//g, ''));
    }
  };
  visit(text.replaceAll(/\/\*\*.*\*\//g, ''));
  return Object.keys(schemas)
    .filter((name) => types.has(name))
    .map((name) => [name, types.get(name)]);
}

/** As a portal with every setting turned on serves it. */
export async function portalDocument() {
  const { COLLECTIONS } = await import('../src/portal/api/collections.ts');
  const { openapiDocument } = await import('../src/portal/api/openapi/document.ts');
  const { describedCollections, portalCollections } = await import('../src/portal/api/portal-collections.ts');
  // Collections hold it for what they write; describing them asks nothing of it.
  const blobs = Object.freeze({});
  const options = { enableBulkUpdate: true, enablePatchAll: true, blobs };
  const collections = describedCollections(options, portalCollections(blobs));
  return openapiDocument({ collections, names: COLLECTIONS, base: '', version: '', language: 'en' });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const text = apiTypes(await portalDocument());
  if (!process.argv.includes('--check')) writeFileSync(FILE, text);
  else if (readFileSync(FILE, 'utf8') !== text) {
    console.error('web/api/portal-api.gen.ts is not what the OpenAPI document says: run `npm run api-types`');
    process.exitCode = 1;
  }
}
