// The change log, put up and taken down, as SQL: a command runs it, prints it for an owner to run, and the portal has it in its
// schema.

import { readFileSync } from 'node:fs';
import { quoteIdent, quoteLiteral } from '../../sql/ident.ts';

/** How changes of a table are heard of: recorded by its triggers, or decoded from the server's log. */
export type FollowedBy = 'triggers' | 'decoding';

/** Of the tables that are followed by logical decoding. */
export const PUBLICATION = 'survest_live';

/** May be run again. `readers`: the roles that services connect as. */
export function installChangeLogSql(...readers: readonly string[]): string {
  const roles = readers.map(quoteIdent).join(', ');
  return `${readFileSync(new URL('./sql/install.sql', import.meta.url), 'utf8')}
grant usage on schema survest_live to ${roles};
grant select, delete on survest_live.change to ${roles};
`;
}

/** May be run again, after the change log is there. */
export function installDecodingSql(): string {
  return readFileSync(new URL('./sql/decoding.sql', import.meta.url), 'utf8');
}

/** `tables`: names as SQL writes them. */
export function followTablesSql(tables: readonly string[]): string {
  return forEach(tables, 'follow');
}

export function unfollowTablesSql(tables: readonly string[]): string {
  return forEach(tables, 'unfollow');
}

/** By logical decoding, and no longer by triggers. In one transaction, so that there is always one of the two. */
export function publishTablesSql(tables: readonly string[]): string {
  return forEach(tables, 'publish', 'unfollow', 'refollowed');
}

/** By triggers, and no longer by logical decoding. */
export function recordTablesSql(tables: readonly string[]): string {
  return forEach(tables, 'follow', 'unpublish', 'refollowed');
}

/** In no way. */
export function releaseTablesSql(tables: readonly string[]): string {
  return forEach(tables, 'unfollow', 'unpublish', 'refollowed');
}

function forEach(tables: readonly string[], ...functions: readonly string[]): string {
  return tables
    .flatMap((table) => functions.map((name) => `select survest_live.${name}(${quoteLiteral(table)}::regclass);\n`))
    .join('');
}
