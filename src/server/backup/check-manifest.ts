// What a manifest may say, checked before anything of it is used: a backup may come from somebody else, and whatever of it became SQL would run with the
// rights of who restores. Names are quoted where they are used; here is looked at which tables they name, and at every statement. Pure.

import { definitionFault, grantFault } from './definition-statement.ts';
import type { DatabasePart, TableDefinition, TableRows } from './manifest.ts';
import { OWN_SYSTEMS } from './sql/catalogue.ts';

/** Schemas whose tables a backup fills. */
const SCHEMAS: ReadonlySet<string> = new Set(['portal', 'portal_private', 'jobs', 'staging', 'layers']);

const SUM = /^[0-9a-f]{64}$/;

/** Undefined: nothing is wrong with it. */
export function manifestFault(manifest: unknown): string | undefined {
  const { database, files, state, missingFiles } = membersOf(manifest);
  return (
    databaseFault(membersOf(database)) ??
    (isListOf(files, isFile) && isListOf(missingFiles, isText) && Object.values(membersOf(state)).every(isText)
      ? undefined
      : 'its list of files cannot be read')
  );
}

function databaseFault(database: Members): string | undefined {
  const { postgisSchema, migrations, tables, definitions, sequences, queues, leftOut } = database;
  if (!isText(postgisSchema) || !isListOf(migrations, isMigration)) return 'its list of changes cannot be read';
  if (!isListOf(tables, isTable) || !isListOf(sequences, isSequence)) return 'its list of tables cannot be read';
  if (!isListOf(queues, isText) || !isListOf(leftOut, isText)) return 'its list of queues cannot be read';
  if (!isListOf(definitions, isDefinition)) return 'its definitions of tables cannot be read';
  const known = database as unknown as DatabasePart;
  return (
    known.tables.map((table) => tableFault(table, known.postgisSchema)).find((fault) => fault !== undefined) ??
    known.sequences
      .filter(({ schema }) => !SCHEMAS.has(schema))
      .map(({ schema, name }) => `it sets the sequence ${schema}.${name}, which is not the portal's`)
      .at(0) ??
    definitionsFault(known)
  );
}

/** The first statement that is none of those that a backup has. */
export function definitionsFault({ definitions, postgisSchema }: DatabasePart): string | undefined {
  for (const { schema, name, before, after, last, grants } of definitions) {
    if (schema !== 'layers') return `it makes the table ${schema}.${name}, which is not in the schema layers`;
    const table = { name, postgisSchema };
    for (const sql of [...before, ...after, ...last]) {
      const fault = definitionFault(sql, table);
      if (fault !== undefined) return fault;
    }
    for (const { role, sql } of grants) {
      const fault = grantFault(sql, role, table);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function tableFault({ schema, name, where }: TableRows, postgisSchema: string): string | undefined {
  if (schema === postgisSchema && name === 'spatial_ref_sys')
    return where === OWN_SYSTEMS ? undefined : 'it fills spatial_ref_sys with other rows than its own';
  if (!SCHEMAS.has(schema)) return `it fills the table ${schema}.${name}, which is not the portal's`;
  return where === undefined ? undefined : `it has only some rows of ${schema}.${name}`;
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isListOf(value: unknown, isOne: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isSum(value: unknown): boolean {
  return isText(value) && SUM.test(value);
}

function isFile(value: unknown): boolean {
  const { key, size, sha256 } = membersOf(value);
  return isText(key) && isCount(size) && isSum(sha256);
}

function isMigration(value: unknown): boolean {
  const { number, file, checksum } = membersOf(value);
  return isCount(number) && isText(file) && isText(checksum);
}

function isTable(value: unknown): value is TableRows {
  const { schema, name, columns, where, isPartitioned, rows, sha256, chunks } = membersOf(value);
  return (
    isText(schema) &&
    isText(name) &&
    isListOf(columns, isText) &&
    (where === undefined || isText(where)) &&
    (isPartitioned === undefined || isPartitioned === true) &&
    isCount(rows) &&
    isSum(sha256) &&
    isListOf(chunks, (chunk) => isSum(membersOf(chunk)['sha256']) && isCount(membersOf(chunk)['bytes']))
  );
}

function isSequence(value: unknown): boolean {
  const { schema, name, value: state, isCalled } = membersOf(value);
  return isText(schema) && isText(name) && isText(state) && /^-?\d{1,19}$/.test(state) && typeof isCalled === 'boolean';
}

function isDefinition(value: unknown): value is TableDefinition {
  const { schema, name, before, after, last, grants } = membersOf(value);
  return (
    isText(schema) &&
    isText(name) &&
    [before, after, last].every((statements) => isListOf(statements, isText)) &&
    isListOf(grants, (grant) => isText(membersOf(grant)['role']) && isText(membersOf(grant)['sql']))
  );
}
