// The schema cache as JSON, for `--dump-schema` and the admin server. In pieces of some size: the text of a big schema is
// tens of megabytes, and whoever writes it out takes the next piece when the last one is gone.

import type { Relationship, Routine, SchemaCache, Table } from './schema-cache.ts';

const PIECE_LENGTH = 64 * 1024;

export function* dumpSchemaCache(cache: SchemaCache): Generator<string> {
  let piece = '';
  for (const text of membersOf(cache)) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function* membersOf(cache: SchemaCache): Generator<string> {
  yield '{"dbTables":';
  yield* list(tablesOf(cache), plainTable);
  yield ',"dbRelationships":';
  yield* list(relationshipsOf(cache), (relationship) => relationship);
  yield ',"dbRoutines":';
  yield* list(routinesOf(cache), (routine) => plainRoutine(routine, cache));
  yield ',"dbRepresentations":';
  yield* list(cache.representations, ([domain, representation]) => ({ domain, ...representation }));
  yield ',"dbMediaHandlers":';
  yield* list(cache.mediaHandlers, (handler) => handler);
  yield ',"dbTimezones":';
  yield* list(cache.timezones, (name) => name);
  yield '}';
}

function* list<T>(items: Iterable<T>, plain: (item: T) => unknown): Generator<string> {
  let before = '[';
  for (const item of items) {
    yield before + JSON.stringify(plain(item));
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function* tablesOf(cache: SchemaCache): Generator<Table> {
  for (const schema of cache.schemas) yield* cache.tablesOf(schema);
}

function* relationshipsOf(cache: SchemaCache): Generator<Relationship> {
  for (const table of tablesOf(cache)) yield* cache.relationshipsOf(table);
}

function* routinesOf(cache: SchemaCache): Generator<Routine> {
  for (const schema of cache.schemas) yield* cache.routinesOf(schema);
}

function plainTable(table: Table): unknown {
  return { ...table, columns: [...table.columns.values()] };
}

function plainRoutine(routine: Routine, cache: SchemaCache): unknown {
  const { set, shape } = routine.returns;
  const plainShape =
    (shape.kind === 'composite' || shape.kind === 'record') && shape.columns !== undefined
      ? { ...shape, columns: [...shape.columns.values()] }
      : shape;
  return { ...routine, returns: { set, shape: plainShape }, mediaType: cache.routineMediaType(routine) ?? null };
}
