// The change log, put up and taken down, as SQL: a command runs it, prints it for an owner to run, and the portal has it among its
// migrations.

import { readFileSync } from 'node:fs';
import { quoteIdent, quoteLiteral } from '../../sql/ident.ts';

/** May be run again. `reader`: the role that the service connects as. */
export function installChangeLogSql(reader: string): string {
  const role = quoteIdent(reader);
  return `${readFileSync(new URL('./sql/install.sql', import.meta.url), 'utf8')}
grant usage on schema survest_live to ${role};
grant select, delete on survest_live.change to ${role};
`;
}

/** `tables`: names as SQL writes them. */
export function followTablesSql(tables: readonly string[]): string {
  return tables.map((table) => `select survest_live.follow(${quoteLiteral(table)}::regclass);\n`).join('');
}

export function unfollowTablesSql(tables: readonly string[]): string {
  return tables.map((table) => `select survest_live.unfollow(${quoteLiteral(table)}::regclass);\n`).join('');
}
