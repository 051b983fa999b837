// TypeScript types of the portal's API, generated from its OpenAPI document: writes web/api/portal-api.gen.ts, for the pages, and client/src/operations.gen.ts, for
// the client that others install; or with --check fails where a file is not what the document says, or where a route is not described at all. Needs neither a database nor a server. Runs from the sources: tsx scripts/api-types.mjs
//
// Our own, because openapi-typescript prints its types with the compiler's JavaScript API, which TypeScript 7 no longer has.

import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const FILES = [
  ['web/api/portal-api.gen.ts', apiTypes],
  ['client/src/operations.gen.ts', clientTypes],
];

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
  const byPath = Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1));
  const answers = byPath.flatMap(([path, verbs]) =>
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

/** What of the API a client is typed by: each operation with its query, its body and its answer. */
export function clientTypes({ paths, components }) {
  const operations = Object.entries(paths)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([path, verbs]) =>
      METHODS.filter((method) => verbs[method] !== undefined).map((method) => {
        const { summary = '', parameters = [], requestBody, responses } = verbs[method];
        const about = `/** ${summary.replaceAll('*/', '* /')}. */\n`;
        const parts = [
          `readonly query: ${queryType([...(verbs.parameters ?? []), ...parameters])};`,
          `readonly body: ${bodyType(requestBody)};`,
          `readonly answer: ${answerType(responses)};`,
        ];
        return `${about}readonly ${quoted(`${method.toUpperCase()} ${path}`)}: {\n${indented(parts.join('\n'))}\n};`;
      }),
    );
  const body = operations.join('\n');
  const records = reachable(body, components.schemas).map(([name, type]) => `export type ${name} = ${type};\n`);
  return `${CLIENT_HEADER}\n${records.join('\n')}\nexport type Operations = {\n${indented(body)}\n};\n`;
}

const CLIENT_HEADER = `// The operations of a portal's API as types. Generated from its OpenAPI document by \`npm run api-types\`; not to be edited.

type QueryValue = string | number | boolean | ReadonlyArray<string | number>;
`;

function answerType(responses) {
  const types = [...new Set(answerSchemas(responses).map(typeOf))];
  return types.length === 0 ? 'unknown' : types.join(' | ');
}

/** A form is sent as one, whatever is in it; other kinds of body are text. */
function bodyType(requestBody) {
  if (requestBody === undefined) return 'undefined';
  const types = Object.entries(requestBody.content).map(([media, { schema }]) => {
    if (media === 'application/json') return typeOf(schema);
    return media === 'multipart/form-data' ? 'FormData' : 'string';
  });
  return [...new Set([...types, ...(requestBody.required === true ? [] : ['undefined'])])].join(' | ');
}

function queryType(parameters) {
  const members = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema = {}, description = '' }) => {
      const about = description === '' ? '' : `/** ${description.replaceAll('*/', '* /')} */\n`;
      // `filter{field.operator}=value`, as often as wanted.
      if (name === 'filter{}') return `${about}readonly [filter: \`\${'' | '-'}filter{\${string}}\`]: QueryValue;`;
      return `${about}readonly ${memberName(name)}?: ${typeOf(schema)};`;
    });
  return members.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${indented(members.join('\n'))}\n}`;
}

/** The components that answers are made of. */
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
  return [...types.keys()].sort().map((name) => [name, types.get(name)]);
}

/** As a portal with every setting turned on serves it. Its database is not asked: nothing but the document is. */
export async function portalDocument(language = 'en') {
  return (await describedPortal(language)).document;
}

export async function describedPortal(language = 'en') {
  const { makePortalApp } = await import('../src/portal/portal-app.ts');
  const { makeKeys } = await import('../src/portal/oidc/signing-keys.ts');
  const app = await makePortalApp({
    db: Object.freeze({}),
    keys: await makeKeys(),
    publicUrl: 'https://portal.example.org',
    webRoot: import.meta.dirname,
    version: '',
    mode: { now: () => ({ kind: 'normal' }), close: async () => {} },
    api: { blobs: Object.freeze({}), enableBulkUpdate: true, enablePatchAll: true, maxDocumentBytes: 1, version: '' },
    uploads: { limits: { maxBytes: 1, maxFiles: 1 }, preview() {} },
    processes: { list: [] },
    mail: { mailer: { post() {}, async close() {} }, publicUrl: 'https://portal.example.org', registration: 'open' },
    provider: { name: '', issuer: 'https://provider.example.org', clientId: '', scopes: [] },
  });
  const { body } = await app.inject({ url: `/api/v2/schema/?format=json&lang=${language}` });
  await app.close();
  return { document: JSON.parse(body), routes: app.routes };
}

/** What the API serves and its document need not tell of. */
const UNTOLD = [
  // Pages for people, what only they begin with, and the token endpoint of the OpenID provider, which its own metadata describe.
  /^GET \/account\/(?:|forgotten\/|link\/|login\/|logout\/|register\/|signup\/)$/,
  /^GET \/account\/(?:defaults|session)\/$/,
  /^POST \/account\/(?:login|logout|token)\/$/,
  /^\w+ \/account\/clients\//,
  /^GET \/api\/v2\/schema\/\w/,
  // The fields and relations of a record are described one by one.
  /^GET \/api\/v2\/[a-z]+\/\{\}\/\{\}\/$/,
  // Other addresses of what is described: layers as `datasets`, those of GeoNode and older clients.
  /^\w+ \/api\/v2\/datasets\/\{\}\/(?:linked_resources|permissions|set_thumbnail)\/$/,
  /^\w+ \/api\/(?:o\/v4\/userinfo|v2\/reqrules)\/$/,
  /^GET \/api\/v2\/documents\/\{\}\/download\/$/,
  /^GET \/api\/v2\/uploads\/\{\}\/files\/\{\}\/$/,
  /^POST \/api\/v2\/uploads\/\{\}\/$/,
];

/** Routes of the API that its document does not tell of. */
export function undescribed({ document, routes }) {
  const told = new Set(
    Object.entries(document.paths).flatMap(([path, verbs]) =>
      Object.keys(verbs).map((method) => `${method.toUpperCase()} ${routeOf(path)}`),
    ),
  );
  return routes
    .filter(({ method, path }) => method !== 'options' && /^\/(?:api|account)\//.test(path))
    .map(({ method, path }) => `${method.toUpperCase()} ${routeOf(path)}`)
    .filter((route) => !told.has(route) && !UNTOLD.some((one) => one.test(route)));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const portal = await describedPortal();
  const missing = undescribed(portal);
  for (const route of missing)
    console.error(`${route}: the route does not describe itself (see src/portal/description)`);
  if (missing.length > 0) process.exitCode = 1;
  for (const [path, types] of FILES) {
    const file = new URL(`../${path}`, import.meta.url);
    const text = types(portal.document);
    if (!process.argv.includes('--check')) writeFileSync(file, text);
    else if (readFileSync(file, 'utf8') !== text) {
      console.error(`${path} is not what the OpenAPI document says: run \`npm run api-types\``);
      process.exitCode = 1;
    }
  }
}
