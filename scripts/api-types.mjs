// TypeScript types of the portal's API, generated from its OpenAPI document: writes client/src/operations.gen.ts, for the client that others install and for the pages; or with
// --check fails where the file is not what the document says, or where a route is not described at all. Needs neither a database nor a server. Runs from the sources: tsx scripts/api-types.mjs
//
// Our own, because openapi-typescript prints its types with the compiler's JavaScript API, which TypeScript 7 no longer has.

import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const FILE = 'client/src/operations.gen.ts';

const HEADER = `// The operations of a portal's API as types. Generated from its OpenAPI document by \`npm run api-types\`; not to be edited.

type QueryValue = string | number | boolean | ReadonlyArray<string | number>;
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
  if (Object.keys(properties).length === 0) {
    const other = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Readonly<Record<string, ${other}>>`;
  }
  if (typeof additionalProperties === 'object') throw new Error('members and others beside them have no type yet');
  return bracedMembers(membersOf({ properties, required }));
}

function membersOf({ properties, required = [] }) {
  return Object.entries(properties).map(([name, schema]) => {
    const about = schema.description === undefined ? '' : `/** ${commented(schema.description)} */\n`;
    return `${about}readonly ${memberName(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`;
  });
}

const bracedMembers = (members) => `{\n${indented(members.join('\n'))}\n}`;

const memberName = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));
const commented = (text) => text.replaceAll('*/', '* /');
const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const indented = (text) => text.replaceAll(/^(?=.)/gm, '  ');

/** `/api/v2/layers/{id}/` → `/api/v2/layers/{}/`: what stands for a part of the address does not matter to its answer. */
const routeOf = (path) => path.replaceAll(/\{[^}]*\}/g, '{}');

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const FILTERS = `\`\${'' | '-'}filter{\${string}}\``;

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

/** The whole file: each operation with its query, its body and its answer. */
export function apiTypes({ paths, components }) {
  const operations = Object.entries(paths)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([path, verbs]) =>
      METHODS.filter((method) => verbs[method] !== undefined).map((method) => ({
        ...verbs[method],
        name: `${method.toUpperCase()} ${path}`,
        asked: [...(verbs.parameters ?? []), ...(verbs[method].parameters ?? [])].filter((one) => one.in === 'query'),
      })),
    );
  const shared = sharedParameters(operations.flatMap(({ asked }) => asked));
  const seen = new Map();
  const body = operations.map((operation) => operationType(operation, shared, seen)).join('\n');
  const parameters = `/** What many operations are asked with. */\ntype Parameters = {\n${indented([...shared.values()].join('\n'))}\n};\n`;
  const records = recordTypes(reachable(body, components.schemas));
  return `${HEADER}\n${shared.size === 0 ? '' : `${parameters}\n`}${records.join('\n')}\nexport type Operations = {\n${indented(body)}\n};\n`;
}

/** `seen`: long types by where they stand first. They are written once. */
function operationType({ name, summary = '', asked, requestBody, responses }, shared, seen) {
  const once = (part, type) => {
    if (type.split('\n').length < 4) return type;
    const place = seen.get(type);
    if (place === undefined) seen.set(type, `Operations[${quoted(name)}]['${part}']`);
    return place ?? type;
  };
  const parts = [
    ...(asked.length === 0 ? [] : [`readonly query: ${once('query', queryType(asked, shared))};`]),
    ...(requestBody === undefined ? [] : [`readonly body: ${once('body', bodyType(requestBody))};`]),
    `readonly answer: ${once('answer', answerType(responses))};`,
  ];
  const line = `{ ${parts.join(' ').replace(/;$/, '')} }`;
  const type = line.includes('\n') || line.length > 100 ? `{\n${indented(parts.join('\n'))}\n}` : line;
  return `/** ${commented(summary)}. */\nreadonly ${quoted(name)}: ${type};`;
}

/** `undefined` where there is nothing to read, `unknown` where it is not JSON. */
function answerType(responses) {
  const types = new Set(answerSchemas(responses).map(typeOf));
  if (Object.entries(responses).some(([status, { content }]) => status.startsWith('2') && content === undefined))
    types.add('undefined');
  return types.size === 0 ? 'unknown' : [...types].join(' | ');
}

/** A form is sent as one, whatever is in it; other kinds of body are text. */
function bodyType(requestBody) {
  const types = Object.entries(requestBody.content).map(([media, { schema }]) => {
    if (media === 'application/json') return typeOf(schema);
    return media === 'multipart/form-data' ? 'FormData' : 'string';
  });
  return [...new Set([...types, ...(requestBody.required === true ? [] : ['undefined'])])].join(' | ');
}

function queryType(asked, shared) {
  const isShared = (one) => shared.get(one.name) === parameterType(one);
  const named = asked.filter(isShared).map(({ name }) => (name === 'filter{}' ? FILTERS : quoted(name)));
  const own = asked.filter((one) => !isShared(one)).map(parameterType);
  return [
    ...(named.length === 0 ? [] : [`Pick<Parameters, ${named.join(' | ')}>`]),
    ...(own.length === 0 ? [] : [`{\n${indented(own.join('\n'))}\n}`]),
  ].join(' & ');
}

function parameterType({ name, schema = {}, description = '' }) {
  const about = description === '' ? '' : `/** ${commented(description)} */\n`;
  // `filter{field.operator}=value`, as often as wanted.
  if (name === 'filter{}') return `${about}readonly [filter: ${FILTERS}]: QueryValue;`;
  return `${about}readonly ${memberName(name)}?: ${typeOf(schema)};`;
}

/** Those that at least three operations have alike, by name. */
function sharedParameters(parameters) {
  const times = new Map();
  for (const one of parameters) {
    const type = parameterType(one);
    const found = times.get(type) ?? { name: one.name, count: 0 };
    times.set(type, { ...found, count: found.count + 1 });
  }
  const shared = new Map();
  for (const [type, { name, count }] of [...times].sort(([, one], [, other]) => other.count - one.count))
    if (count >= 3 && !shared.has(name)) shared.set(name, type);
  return shared;
}

/** Fields that four records or more have alike, ten of them or more, are a type of their own. */
function recordTypes(records) {
  const owners = new Map();
  for (const { name, members } of records)
    for (const member of members ?? []) owners.set(member, [...(owners.get(member) ?? []), name]);
  const groups = new Map();
  for (const [member, names] of owners) {
    const group = groups.get(names.join()) ?? { names, members: [] };
    groups.set(names.join(), { names, members: [...group.members, member] });
  }
  const common = [...groups.values()].filter(({ names, members }) => names.length >= 4 && members.length >= 10);
  const titled = common.map(({ names, members }) => ({
    names,
    members,
    title: `Common${names.find((name) => name.startsWith('Resource')) ?? names[0]}`,
  }));
  const written = records.map(({ name, type, members }) => {
    const parts = titled.filter(({ names }) => names.includes(name));
    if (parts.length === 0) return `export type ${name} = ${type};\n`;
    const own = members.filter((member) => !parts.some((part) => part.members.includes(member)));
    return `export type ${name} = ${[...parts.map(({ title }) => title), bracedMembers(own)].join(' & ')};\n`;
  });
  return [...titled.map(({ title, members }) => `type ${title} = ${bracedMembers(members)};\n`), ...written];
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
  return [...types.keys()].sort().map((name) => {
    const { type, properties } = schemas[name];
    const isRecord = type === 'object' && Object.keys(properties ?? {}).length > 0;
    return { name, type: types.get(name), ...(isRecord ? { members: membersOf(schemas[name]) } : {}) };
  });
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
    basemaps: { settings: [], sites: () => [], uploads: { maxBytes: 1 } },
    processes: { list: [] },
    compileExpression() {},
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
  // Other addresses of what is described, for GeoNode's and older clients.
  /^\w+ \/api\/(?:o\/v4\/userinfo|v2\/reqrules)\/$/,
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
  const file = new URL(`../${FILE}`, import.meta.url);
  const text = apiTypes(portal.document);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${FILE} is not what the OpenAPI document says: run \`npm run api-types\``);
    process.exitCode = 1;
  }
}
