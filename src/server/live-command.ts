// survest live install | remove | status: which tables are followed by live streams. It takes the rights of their owner; where the service
// connects as somebody else, --print gives the owner the SQL to run.

import { assertNever } from '../kernel/assert-never.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { type FollowedTables, followedTables } from '../pg/change-log/followed-tables.ts';
import { followTablesSql, installChangeLogSql, unfollowTablesSql } from '../pg/change-log/install-change-log.ts';
import type { DbError, Driver } from '../pg/driver.ts';
import { quoteIdent } from '../sql/ident.ts';
import type { Command } from './cli.ts';
import type { ServerConfig } from './config.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { OpenedDatabase } from './open-database.ts';

export type LiveCommand = Extract<Command, { kind: 'live-install' | 'live-remove' | 'live-status' }>;

type Message = { readonly message: string };

export type LiveCommandParts = {
  readonly config: Pick<ServerConfig, 'dbSchemas'>;
  readonly open: () => Promise<Result<OpenedDatabase, Message>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
};

export async function runLiveCommand(command: LiveCommand, parts: LiveCommandParts): Promise<ExitCode> {
  const done = await perform(command, parts);
  if (done.ok) parts.out(done.value);
  else parts.err(`survest ${command.kind.replace('-', ' ')}: ${done.error.message}\n`);
  return done.ok ? EXIT.done : EXIT.failed;
}

async function perform(command: LiveCommand, { config, open }: LiveCommandParts): Promise<Result<string, Message>> {
  const opened = await open();
  if (!opened.ok) return opened;
  const { driver } = opened.value;
  try {
    const found = await followedTables(driver);
    if (!found.ok) return err({ message: said(found.error) });
    switch (command.kind) {
      case 'live-status':
        return ok(command.json ? `${JSON.stringify(found.value, null, 2)}\n` : statusText(found.value));
      case 'live-install': {
        const names = command.tables.map((table) => qualified(table, config.dbSchemas[0]));
        const sql = installChangeLogSql(command.role ?? found.value.role) + followTablesSql(names);
        return command.print ? ok(sql) : run(driver, sql, `followed: ${names.join(', ')}\n`);
      }
      case 'live-remove': {
        const names = command.tables.map((table) => qualified(table, config.dbSchemas[0]));
        const sql = unfollowTablesSql(names);
        return command.print ? ok(sql) : run(driver, sql, `no longer followed: ${names.join(', ')}\n`);
      }
      default:
        return assertNever(command);
    }
  } finally {
    await opened.value.close();
  }
}

async function run(driver: Driver, sql: string, words: string): Promise<Result<string, Message>> {
  const ran = await driver.script(sql);
  if (ran.ok) return ok(words);
  const { error } = ran;
  const lacksRights = error.kind === 'sql' && error.sqlstate === '42501';
  return err({
    message: `${said(error)}${lacksRights ? '; with --print it writes the SQL for the owner of the tables to run' : ''}`,
  });
}

/** A name without a schema is in the first that is exposed; one in quotes is taken as it is. */
function qualified(table: string, schema: string): string {
  if (table.includes('"')) return table;
  const dot = table.indexOf('.');
  return dot < 0
    ? `${quoteIdent(schema)}.${quoteIdent(table)}`
    : `${quoteIdent(table.slice(0, dot))}.${quoteIdent(table.slice(dot + 1))}`;
}

function statusText({ tables, entries, isInstalled }: FollowedTables): string {
  if (!isInstalled) return 'no table is followed: survest live install TABLE\n';
  const log =
    entries === undefined
      ? 'the change log may not be read by this role'
      : `${entries} ${entries === 1 ? 'entry' : 'entries'} in the change log`;
  const followed = tables.length === 1 ? '1 table is followed' : `${tables.length} tables are followed`;
  return `${tables.map((table) => `${table}\n`).join('')}${followed}, ${log}\n`;
}

function said(error: DbError): string {
  return 'message' in error ? error.message : error.kind;
}
