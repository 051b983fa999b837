// The row check: a folder imports only from lower rows, SQL is written only in the rooms for it and put together only where that cannot be
// avoided, the pages use the map maths of the server and nothing else of it, and nobody above `pg` decides by the name of
// the database engine. Prints every import that goes up, sideways or round in a circle, and every line that breaks one of the others.
// Usage: node scripts/check-rows.mjs [root], where root holds src/.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The house, top row first. A folder may use its own files and every row below its own; beside it stands nobody it knows.
 * Folders named in no row are refused: a new one has to be given its place here.
 */
export const ROWS = [
  ['server'],
  ['portal', 'mapserver', 'rest'],
  ['layer-ports', 'mcp'],
  ['jobs', 'blobs', 'auth', 'http', 'columnar'],
  ['pg'],
  ['sql', 'geo'],
  ['kernel'],
];

/**
 * The stages inside a folder, last stage first, by the same rule. A file directly in the folder (its front door) stands
 * above all stages. In `rest`, `errors` knows the failures of every stage up to the plan, and the stages after it use it.
 */
export const STAGES = {
  rest: [
    ['edge'],
    ['lifecycle'],
    ['live'],
    ['pipeline'],
    ['response'],
    ['run'],
    ['query'],
    ['errors'],
    ['plan', 'client-types'],
    ['request', 'schema-cache', 'auth'],
    ['config'],
  ],
};

/**
 * Who asks the database in the REST service: a request only in its stage `run`. Whatever else asks does so for the service
 * itself, and is named here.
 */
export const ASKS = {
  rest: ['run/', 'schema-cache/', 'lifecycle/', 'live/', 'config/db-settings.ts'],
};

/**
 * The rooms in which SQL is written: `query` and `sql` folders of any service, files ending in `.sql`, and these. Everywhere else a string
 * that is SQL, or the `sql` tag, is refused. ARCHITECTURE.md names the same.
 */
export const SQL_ROOMS = [
  'src/sql',
  'src/pg',
  // DDL and COPY of uploaded tables, in a schema of their own.
  'src/mapserver/import',
  // Transactions of a caller, and the queue's own tables.
  'src/auth/caller-db.ts',
  'src/jobs/open-jobs.ts',
  // A module of the portal asks the database about its own subject, mostly functions of `schema/`.
  'src/portal',
  // What the REST service asks about the database itself, and what it runs around a request.
  'src/rest/config/db-settings.ts',
  'src/rest/lifecycle',
  'src/rest/pipeline',
  'src/rest/run',
  'src/rest/schema-cache',
  // Commands for administrators.
  'src/server/cli/doctor-command.ts',
  'src/server/cli/import-command.ts',
  'src/server/cli/user-command.ts',
  // Shows people what to write.
  'src/server/cli/configuration-page.ts',
];

/**
 * Where SQL is put together from text: DDL, which takes no parameters, and statements about relations that are known by name only. Everywhere
 * else a template that is SQL holds nothing but constants (`${UPPER_CASE}`) and escaped names (`quoteIdent`), or has the `sql` tag.
 */
export const COMPOSED_SQL = [
  'src/pg',
  'src/auth/caller-db.ts',
  'src/jobs/open-jobs.ts',
  'src/mapserver/import',
  // Tables of layers: made, changed, filled.
  'src/portal/tables',
  'src/portal/uploads/publish',
  'src/portal/layers/overview-store.ts',
  // Of closed sets of columns, tables and kinds.
  'src/portal/kinds/facet/collections.ts',
  'src/portal/kinds/facet/facet-topics.ts',
  'src/portal/kinds/item/content-collection.ts',
  'src/portal/kinds/people/collections.ts',
  'src/portal/layers/describe-layers.ts',
  'src/portal/oidc/oidc-adapter.ts',
  'src/portal/uploads/upload-store.ts',
  // Shows people what to run.
  'src/portal/monitoring/missing-rights.ts',
  // Functions that the settings name, and statements of the query stage inside others.
  'src/rest/config/db-settings.ts',
  'src/rest/pipeline/pre-request.ts',
  'src/rest/pipeline/relation-guard.ts',
  'src/rest/run/ask-visible.ts',
  'src/rest/run/open-columnar.ts',
  'src/rest/run/still-allowed.ts',
];

/** Every offence as one line of text; none: the house stands. */
export function checkRows(root, rows = ROWS, stages = STAGES) {
  const offences = [];
  const graph = new Map();
  const files = new Map();
  for (const file of sourceFiles(join(root, 'src'))) {
    const from = placeOf(file, root);
    if (rowOf(from.folder, rows) < 0) {
      offences.push(`${from.path}: the folder "${from.folder}" stands in no row`);
      continue;
    }
    offences.push(...strangersAsking(file, from), ...engineNames(file, from));
    for (const line of sqlLines(file, from.path))
      offences.push(`${from.path}:${line}: SQL outside the rooms for it (SQL_ROOMS in scripts/check-rows.mjs)`);
    for (const line of composedSql(file, from.path))
      offences.push(
        `${from.path}:${line}: SQL put together from text: use the sql tag (COMPOSED_SQL in scripts/check-rows.mjs)`,
      );
    for (const { line, target } of importsOf(file, root)) {
      const to = placeOf(target, root);
      const why = offenceOf(from, to, rows, stages);
      if (why !== undefined) offences.push(`${from.path}:${line}: ${why} (${to.path})`);
      addEdge(graph, from, to, line);
      if (from.path !== to.path) addStep(files, from.path, to.path, `${from.path}:${line}`);
    }
  }
  offences.push(...webOffences(root));
  return [...offences, ...sameNumbers(root), ...circlesIn(graph, 'folders'), ...circlesIn(files, 'files')];
}

/** The pages know the API by its generated types, and `geo`, which is pure: styles and shapes are drawn and edited by the same rules. */
function webOffences(root) {
  return sourceFiles(join(root, 'web')).flatMap((file) =>
    importsOf(file, root)
      .map(({ line, target }) => ({ line, to: placeOf(target, root) }))
      .filter(({ to }) => to.folder !== '' && to.folder !== 'geo')
      .map(({ line, to }) => `${placeOf(file, root).path}:${line}: the pages import from "${to.folder}" (${to.path})`),
  );
}

/** Two changes of one number, as two branches bring them: a program that has them does not start. */
function sameNumbers(root) {
  const folder = join(root, 'src/portal/schema/changes');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d+-.*\.sql$/.test(name)) : [];
  return names.flatMap((name, i) => {
    const other = names.findIndex((each) => each.slice(0, 4) === name.slice(0, 4));
    return other < i
      ? [`src/portal/schema/changes/${name} has the number of ${names[other]}: take the next free one`]
      : [];
  });
}

function strangersAsking(file, { folder, path }) {
  const rooms = ASKS[folder];
  if (rooms === undefined || rooms.some((room) => path.startsWith(`src/${folder}/${room}`))) return [];
  const text = withoutComments(readFileSync(file, 'utf8'));
  return [...text.matchAll(/\b(?:driver|session)\s*\.(?:execute|hold|script|listen|copyIn|copyOut)\(/g)].map(
    ({ index }) =>
      `${path}:${text.slice(0, index).split('\n').length}: asks the database, which in "${folder}" only ${rooms.join(', ')} may`,
  );
}

function engineNames(file, { folder, path }) {
  if (folder === 'pg') return [];
  const text = withoutComments(readFileSync(file, 'utf8'));
  return [...text.matchAll(/\bdriver\.engine\s*[!=]==/g)].map(
    ({ index }) =>
      `${path}:${text.slice(0, index).split('\n').length}: decides by the name of the engine (Driver.can says what it can do)`,
  );
}

function offenceOf(from, to, rows, stages) {
  if (to.folder === '') return 'imports from outside src';
  const [fromRow, toRow] = [rowOf(from.folder, rows), rowOf(to.folder, rows)];
  if (from.folder !== to.folder) {
    if (toRow < 0) return `imports from "${to.folder}", which stands in no row`;
    if (toRow < fromRow) return `"${from.folder}" imports from "${to.folder}", a row above it`;
    if (toRow === fromRow) return `"${from.folder}" imports from "${to.folder}" beside it`;
    return undefined;
  }
  const inner = stages[from.folder];
  if (inner === undefined || from.stage === to.stage || from.stage === '') return undefined;
  if (to.stage === '') return `the stage "${from.stage}" imports from the front door of "${from.folder}"`;
  const [fromStage, toStage] = [rowOf(from.stage, inner), rowOf(to.stage, inner)];
  if (fromStage < 0) return `the stage "${from.stage}" of "${from.folder}" stands in no row`;
  if (toStage < 0) return `imports from the stage "${to.stage}", which stands in no row`;
  if (toStage < fromStage) return `the stage "${from.stage}" imports from the later stage "${to.stage}"`;
  if (toStage === fromStage) return `the stage "${from.stage}" imports from "${to.stage}" beside it`;
  return undefined;
}

/** Between the folders of one parent, at any depth: whoever imports does not get imported back, by however many steps. */
function addEdge(graph, from, to, line) {
  const [fromParts, toParts] = [from.path.split('/').slice(0, -1), to.path.split('/').slice(0, -1)];
  let same = 0;
  while (same < fromParts.length && same < toParts.length && fromParts[same] === toParts[same]) same++;
  // One of them stands inside the other's folder: a folder and its parts are one thing.
  if (same === fromParts.length || same === toParts.length) return;
  const [a, b] = [fromParts, toParts].map((parts) => parts.slice(0, same + 1).join('/'));
  addStep(graph, a, b, `${from.path}:${line}`);
}

function addStep(graph, from, to, at) {
  if (!graph.has(from)) graph.set(from, new Map());
  if (!graph.get(from).has(to)) graph.get(from).set(to, at);
}

function circlesIn(graph, what) {
  const found = [];
  const done = new Set();
  const visit = (folder, trail) => {
    const at = trail.indexOf(folder);
    if (at >= 0) {
      const circle = [...trail.slice(at), folder];
      const steps = circle.slice(1).map((next, i) => `${next} at ${graph.get(circle[i]).get(next)}`);
      found.push(`a circle of ${what}: ${circle[0]} → ${steps.join(' → ')}`);
      return;
    }
    if (done.has(folder)) return;
    for (const next of graph.get(folder)?.keys() ?? []) visit(next, [...trail, folder]);
    done.add(folder);
  };
  for (const folder of graph.keys()) visit(folder, []);
  return found;
}

/** How a string begins that is SQL; in lower case, as all of ours is. English sentences are not. */
const SQL_STRING = new RegExp(
  [
    String.raw`\bsql(?:<[\w<>'| ]*>)?\x60`,
    String.raw`(?:['"]|\x60)\s*(?:${[
      String.raw`select\s+\S[^'"\x60]*?(?:\bfrom\b|\(|\$)`,
      String.raw`insert into\s`,
      String.raw`update\s+\S+\s+(?:as \w+ )?set\s`,
      String.raw`delete from\s`,
      String.raw`with\s+\w+\s+as\s`,
      String.raw`copy\s*[(\w$]+.*?\b(?:to stdout|from stdin)`,
      String.raw`(?:create|alter|drop)\s+(?:or replace\s+|unique\s+)?(?:table|index|schema|role|view|function|policy|type|extension)\s`,
      String.raw`(?:set local|set role|grant|revoke|truncate|listen|notify)\s+[\w"$]`,
    ].join('|')})`,
  ].join('|'),
  'g',
);

function sqlLines(file, path) {
  return isIn(SQL_ROOMS, path) ? [] : linesOf(file, (text) => [...text.matchAll(SQL_STRING)]);
}

/** A template that begins like SQL and has no tag. */
const SQL_TEMPLATE =
  /(?:^|[^\w`>])`\s*(?:select|insert into|update|delete from|with\s+\w+\s+as|create|alter|drop|grant|revoke|truncate|set local|copy)\b([^`]*)/g;
const UNSAFE_PART = /\$\{(?!(?:[A-Z][A-Z0-9_]*(?: \+ \d+)?|quoteIdent\([^{}]*\)|quoteLiteral\([^{}]*\))\})/;

function composedSql(file, path) {
  if (isIn(COMPOSED_SQL, path)) return [];
  return linesOf(file, (text) => [...text.matchAll(SQL_TEMPLATE)].filter(([, rest]) => UNSAFE_PART.test(rest)));
}

function isIn(rooms, path) {
  return /(?:^|\/)(?:query|sql)\//.test(path) || rooms.some((room) => path === room || path.startsWith(`${room}/`));
}

function linesOf(file, find) {
  const text = withoutComments(readFileSync(file, 'utf8'));
  return find(text).map(({ index }) => text.slice(0, index).split('\n').length);
}

/** The relative imports of a file: static, re-exports, side effects, dynamic, and types. */
function importsOf(file, root) {
  const text = withoutComments(readFileSync(file, 'utf8'));
  const pattern = /\bfrom\s*(['"])(\.[^'"]*)\1|\bimport\s*\(?\s*(['"])(\.[^'"]*)\3/g;
  return [...text.matchAll(pattern)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    target: resolveImport(file, match[2] ?? match[4], root),
  }));
}

function resolveImport(file, name, root) {
  const full = join(dirname(file), name);
  return existsSync(full) || !full.startsWith(join(root, 'src')) ? full : full.replace(/\.js$/, '.ts');
}

/** Comments become blanks, so that line numbers stay and nothing in them is taken for an import. */
function withoutComments(text) {
  return text.replace(
    /\/\*[\s\S]*?\*\/|(^|[^:'"`\\])\/\/[^\n]*/g,
    (comment, before) => (before ?? '') + comment.slice((before ?? '').length).replace(/[^\n]/g, ' '),
  );
}

function placeOf(file, root) {
  const path = relative(root, file).split(sep).join(posix.sep);
  const [src, folder = '', ...rest] = path.split('/');
  return src === 'src' ? { path, folder, stage: rest.length > 1 ? rest[0] : '' } : { path, folder: '', stage: '' };
}

function rowOf(folder, rows) {
  return rows.findIndex((row) => row.includes(folder));
}

/** Tests are left out: they may set things up from wherever they like. */
function sourceFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return sourceFiles(path);
      return /\.(?:m?ts|tsx)$/.test(name) && !/\.(?:test|d)\.(?:m?ts|tsx)$/.test(name) ? [path] : [];
    });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const offences = checkRows(process.argv[2] ?? join(import.meta.dirname, '..'));
  for (const offence of offences) console.error(offence);
  if (offences.length > 0) process.exit(1);
}
