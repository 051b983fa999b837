// Statements by which SQL of an administrator could become more than the administrator is, or leave something behind on a connection that others
// use. Each is refused, or changes nothing.

const NOT_SET = /are not run here/;

/** Refused, with a word that the answer has to hold. */
export const REFUSED: readonly (readonly [statement: string, said: RegExp])[] = [
  ['set role none', /begin with SELECT/],
  ['reset role', /begin with SELECT/],
  ['/* select */ reset role', /begin with SELECT/],
  ['select 1; reset role', /One statement/],
  ['select 1; deallocate all', /One statement/],
  ['deallocate all', /begin with SELECT/],
  ['prepare p as select 1', /begin with SELECT/],
  ['declare c cursor with hold for select 1', /begin with SELECT/],
  ['do $$ begin end $$', /begin with SELECT/],
  ['create table layers.mine (id integer)', /begin with SELECT/],
  ['select 1 into temp mine', /./],
  [`copy (select 1) to program 'id'`, /begin with SELECT/],
  [`select set_config('role', 'none', false)`, NOT_SET],
  [`select set_config('role', 'none', true)`, NOT_SET],
  [`select set_config('session_authorization', 'default', false)`, NOT_SET],
  [`select query_to_xml('select set_config(''role'', ''none'', true)', true, true, '')`, NOT_SET],
  [`select query_to_xml('reset role', true, true, '')`, NOT_SET],
  [`select query_to_xml('deallocate all', true, true, '')`, NOT_SET],
  [`with a as (select set_config('role', 'none', true)) select * from a, portal_private.credential`, NOT_SET],
  [`select U&"\\0073et_config"('role', 'none', true)`, NOT_SET],
  [`select portal.run_sql('select set' || '_config(''role'', ''none'', true)', 'run', 1)`, NOT_SET],
  ['select * from portal_private.credential', /permission denied/],
  ['select rolpassword from pg_authid', /permission denied/],
  [`select pg_read_file('/etc/passwd')`, /permission denied/],
  [`select lo_import('/etc/passwd')`, /permission denied/],
  [`select pg_ls_dir('.')`, /permission denied/],
  [`select pg_terminate_backend(pg_backend_pid() + 0) from portal_private.audit`, /permission denied/],
  [`select portal.run_sql('reset role', 'run', 10)`, /begin with SELECT/],
  [`select portal.note_sign_in('ada', '', true)`, /permission denied/],
];

/** Refused even where writing was asked for. */
export const REFUSED_TO_WRITE: readonly (readonly [statement: string, said: RegExp])[] = [
  ['delete from portal_private.audit', /permission denied/],
  [`insert into portal_private.grant_row values (1)`, /permission denied|does not exist/],
  [`update pg_catalog.pg_proc set proowner = 10`, /permission denied/],
  ['truncate layers.sums', /begin with SELECT/],
  [`alter table layers.sums disable row level security`, /begin with SELECT/],
];
