// survest live install | remove | status: which tables are followed by live streams. It takes the rights of their owner; where the service
// connects as somebody else, --print gives the owner the SQL to run.

import { assertNever } from '../../kernel/assert-never.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { chooseWays, whyNoDecoding } from '../../pg/change-log/choose-way.ts';
import { type FollowedTables, followedTables, serviceRoles } from '../../pg/change-log/followed-tables.ts';
import {
  type FollowedBy,
  followTablesSql,
  installChangeLogSql,
  installDecodingSql,
  publishTablesSql,
  recordTablesSql,
  releaseTablesSql,
  unfollowTablesSql,
} from '../../pg/change-log/install-change-log.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import { quoteIdent } from '../../sql/ident.ts';
import { EXIT, type ExitCode } from '../command-line/exit-code.ts';
import type { Command } from '../command-line/parse-command-line.ts';
import type { ServerConfig } from '../config/config.ts';
import type { OpenedDatabase } from '../open-database.ts';

export type LiveCommand = Extract<Command, { kind: 'live-install' | 'live-remove' | 'live-status' }>;

type Message = { readonly message: string };

export type LiveCommandParts = {
  readonly config: Pick<ServerConfig, 'dbSchemas' | 'dbAnonRole' | 'liveReplicationUri'>;
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
    const readers = command.kind === 'live-install' ? await readersFor(driver, command, config) : ok([]);
    if (!readers.ok) return err({ message: said(readers.error) });
    const found = await followedTables(driver, readers.value[0]);
    if (!found.ok) return err({ message: said(found.error) });
    switch (command.kind) {
      case 'live-status':
        return ok(command.json ? statusJson(found.value) : statusText(found.value, config));
      case 'live-install':
        return await install(driver, command, found.value, readers.value, config);
      case 'live-remove': {
        const names = command.tables.map((table) => qualified(table, config.dbSchemas[0]));
        const sql = hasDecoded(found.value) ? installDecodingSql() + releaseTablesSql(names) : unfollowTablesSql(names);
        return command.print ? ok(sql) : await run(driver, sql, `no longer followed: ${names.join(', ')}\n`);
      }
      default:
        return assertNever(command);
    }
  } finally {
    await opened.value.close();
  }
}

type InstallCommand = Extract<LiveCommand, { kind: 'live-install' }>;

/** The role that was named; else those that running services are connected as; none: that of this connection. */
async function readersFor(
  driver: Driver,
  { role, print }: InstallCommand,
  { dbAnonRole }: LiveCommandParts['config'],
): Promise<Result<readonly string[], DbError>> {
  if (role !== undefined) return ok([role]);
  // What is printed is for an owner to run: the service connects as this command does.
  return print ? ok([]) : serviceRoles(driver, dbAnonRole);
}

async function install(
  driver: Driver,
  command: InstallCommand,
  found: FollowedTables,
  readers: readonly string[],
  { dbSchemas, liveReplicationUri }: LiveCommandParts['config'],
): Promise<Result<string, Message>> {
  const names = command.tables.map((table) => qualified(table, dbSchemas[0]));
  const roles = readers.length === 0 ? [found.role] : readers;
  const [role = found.role] = roles;
  const asked = { hasReplicationUri: liveReplicationUri !== undefined, isPrinted: command.print };
  const obstacle = whyNoDecoding(driver, found, asked);
  if (command.by === 'decoding' && (driver.decode === undefined || found.decoding.walLevel !== 'logical'))
    return err({
      message: `${obstacle}; logical decoding needs a server with wal_level = logical (a restart), and without it tables are followed by triggers (--triggers)`,
    });
  const chosen: Result<readonly FollowedBy[], DbError> =
    command.by === undefined
      ? await chooseWays(driver, names, obstacle === undefined)
      : ok(names.map(() => command.by ?? 'triggers'));
  if (!chosen.ok) return err({ message: said(chosen.error) });
  const decoded = names.filter((_, i) => chosen.value[i] === 'decoding');
  const recorded = names.filter((_, i) => chosen.value[i] !== 'decoding');
  // Where nothing was ever decoded there is nothing to take back, and nothing else is put up than what triggers need.
  const needsDecoding = decoded.length > 0 || hasDecoded(found);
  const sql = [
    installChangeLogSql(...roles),
    needsDecoding
      ? installDecodingSql() + publishTablesSql(decoded) + recordTablesSql(recorded)
      : followTablesSql(recorded),
  ].join('');
  if (command.print) return ok(sql);
  const why = obstacle === undefined || command.by !== undefined ? '' : ` (${obstacle})`;
  const words = [
    decoded.length === 0 ? '' : `followed by logical decoding: ${decoded.join(', ')}\n`,
    recorded.length === 0 ? '' : `followed by triggers${why}: ${recorded.join(', ')}\n`,
    decoded.length > 0 && !found.decoding.mayReplicate && !asked.hasReplicationUri ? needsReplication(role) : '',
    `the change log may be read by ${roles.map(quoteIdent).join(', ')}${command.role === undefined ? whyThese(readers.length > 0) : ''}\n`,
  ];
  return run(driver, sql, words.join(''));
}

function whyThese(areFound: boolean): string {
  return areFound
    ? ', as which the service runs now'
    : ', the role of this connection; where the service connects as another one, name it with --for ROLE';
}

function needsReplication(role: string): string {
  return `the role ${quoteIdent(role)} has no REPLICATION, and streams are read every two seconds until it has: ALTER ROLE ${quoteIdent(role)} REPLICATION, or set live-replication-uri\n`;
}

function hasDecoded({ tables }: FollowedTables): boolean {
  return tables.some(({ by }) => by === 'decoding');
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

function statusJson({ tables, ...others }: FollowedTables): string {
  const decoded = tables.filter(({ by }) => by === 'decoding').map(({ name }) => name);
  return `${JSON.stringify({ ...others, tables: tables.map(({ name }) => name), decoded }, null, 2)}\n`;
}

function statusText(found: FollowedTables, { liveReplicationUri }: LiveCommandParts['config']): string {
  const { tables, entries, isInstalled } = found;
  if (!isInstalled) return 'no table is followed: survest live install TABLE\n';
  const log =
    entries === undefined
      ? 'the change log may not be read by this role'
      : `${entries} ${entries === 1 ? 'entry' : 'entries'} in the change log`;
  const followed = tables.length === 1 ? '1 table is followed' : `${tables.length} tables are followed`;
  const lines = tables.map(({ name, by }) => (by === 'decoding' ? `${name} (logical decoding)\n` : `${name}\n`));
  const decoding = hasDecoded(found) ? decodingText(found, liveReplicationUri !== undefined) : '';
  const readers = found.readers.length === 0 ? 'superusers alone' : found.readers.map(quoteIdent).join(', ');
  return `${lines.join('')}${followed}, ${log}\nthe change log may be read by ${readers}\n${decoding}`;
}

function decodingText({ decoding, role }: FollowedTables, hasReplicationUri: boolean): string {
  const { walLevel, mayReplicate, slots, slotsTaken, maxSlots } = decoding;
  if (walLevel !== 'logical')
    return `logical decoding does not work: the server has wal_level = ${walLevel}; set it to logical and restart the server\n`;
  const missing = mayReplicate || hasReplicationUri ? '' : needsReplication(role);
  if (slots.length > 0)
    return `${missing}${slots.map(({ name, active, lagBytes }) => `slot ${name}: ${active ? 'works' : 'does not work'}, ${lagBytes} bytes behind\n`).join('')}`;
  const full = slotsTaken >= maxSlots ? `; all ${maxSlots} slots of the server are taken (max_replication_slots)` : '';
  return `${missing}no slot for logical decoding: each copy of the program makes one with its first live stream${full}\n`;
}

function said(error: DbError): string {
  return 'message' in error ? error.message : error.kind;
}
