// The statements of a backup's transaction, and of the one that puts it back.

import { quoteIdent, quoteLiteral } from '../../../sql/index.ts';

type Name = { readonly schema: string; readonly name: string };

/** How values are written, wherever they are: as another server reads them without loss. */
const PLAIN_TEXT = [
  `set local datestyle = 'ISO, MDY'`,
  `set local intervalstyle = 'postgres'`,
  `set local timezone = 'UTC'`,
  'set local extra_float_digits = 1',
  `set local bytea_output = 'hex'`,
  `set local xmlbinary = 'base64'`,
  `set local search_path = ''`,
  'set local synchronize_seqscans = off',
  'set local statement_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
];

/** Whatever row-level security would hide is an error instead. */
export const BEGIN_SNAPSHOT: readonly string[] = [
  'begin isolation level repeatable read read only',
  ...PLAIN_TEXT,
  'set local row_security = off',
];

/** For tables whose owner is subject to their policies, too: the service's own role sees all rows. */
export const AS_SERVICE: readonly string[] = ['set local role survest_admin', 'set local row_security = on'];
export const AS_OURSELVES: readonly string[] = ['set local role none', 'set local row_security = off'];

export const PREPARE_LOAD: readonly string[] = [...PLAIN_TEXT, 'set local row_security = off'];

export function lockTables(tables: readonly Name[]): string {
  return `lock table ${tables.map(full).join(', ')} in access share mode`;
}

export function sequenceState(schema: string, name: string): string {
  return `select last_value::text, is_called from ${full({ schema, name })}`;
}

export function setSequence({ schema, name }: Name, value: string, isCalled: boolean): string {
  return `select pg_catalog.setval(${quoteLiteral(full({ schema, name }))}::pg_catalog.regclass, ${quoteLiteral(value)}::bigint, ${isCalled})`;
}

export function copyTo(table: string, columns: string): string {
  return `copy ${table} (${columns}) to stdout`;
}

export function copyQuery(table: string, columns: string, where: string | undefined): string {
  return `copy (select ${columns} from ${table}${where === undefined ? '' : ` where ${where} order by 1`}) to stdout`;
}

export function copyFrom(table: string, columns: string): string {
  return `copy ${table} (${columns}) from stdin`;
}

/** Rows that an empty portal has: those of the backup take their place. */
export function emptyTables(tables: readonly Name[]): string {
  return `truncate ${tables.map(full).join(', ')}`;
}

export function userTriggers(table: Name, verb: 'enable' | 'disable'): string {
  return `alter table ${full(table)} ${verb} trigger user`;
}

export const CREATE_QUEUE: string = `select jobs.create_queue($1, '{}')`;

/** Triggers that somebody has switched off, or on for replicas alone, in tables of the schema's files. */
export const EXISTING_TABLES: string = `
select n.nspname, c.relname from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
 where n.nspname in ('portal', 'portal_private', 'jobs', 'staging') and c.relkind in ('r', 'p') and not c.relispartition`;

export const OUR_SCHEMAS: string = `
select nspname from pg_catalog.pg_namespace where nspname in ('portal', 'portal_private', 'layers', 'jobs', 'staging', 'survest', 'survest_live') order by 1`;

export const DROP_OUR_SCHEMAS: string =
  'drop schema if exists portal, portal_private, layers, jobs, staging, survest, survest_live cascade';

/** And whether we are members. */
export const ROLES: string = `
select rolname, pg_catalog.pg_has_role(oid, 'MEMBER') from pg_catalog.pg_roles`;

export const POSTGIS_SCHEMA: string = `
select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace where e.extname = 'postgis'`;

export function forgetRows(table: Name, where: string): string {
  return `delete from ${full(table)} where ${where}`;
}

function full({ schema, name }: Name): string {
  return `${quoteIdent(schema)}.${quoteIdent(name)}`;
}

export const HOLD_FILES: string = 'select portal.hold_files($1::uuid, $2::integer)';
export const RELEASE_FILES: string = 'select portal.release_files($1::uuid)';

export const ANALYZE: string = 'analyze';

/** Other copies of the program that are connected. */
export const OTHER_PROGRAMS: string = `
select count(*) from pg_catalog.pg_stat_activity a
 where a.datname = pg_catalog.current_database() and a.pid <> pg_catalog.pg_backend_pid() and a.application_name like 'Survest %'`;

/** Copies of the program that ran when the backup was made: none of them is at work here. */
export const FORGET_COPIES = 'delete from portal_private.program_copy';
