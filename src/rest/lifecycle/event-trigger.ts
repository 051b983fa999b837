// The event trigger that tells REST services of every change of the schema: made, made again, and taken away.

import { readFileSync } from 'node:fs';
import type { Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import { quoteLiteral } from '../../sql/ident.ts';

/** Needs a superuser: so PostgreSQL wants it for event triggers. */
export function installEventTrigger(driver: Pick<Driver, 'script'>, channel: string): Promise<Result<void, DbError>> {
  return driver.script(readSql('event-trigger').replaceAll('{{channel}}', () => quoteLiteral(channel)));
}

export function removeEventTrigger(driver: Pick<Driver, 'script'>): Promise<Result<void, DbError>> {
  return driver.script(readSql('event-trigger-remove'));
}

function readSql(name: string): string {
  return readFileSync(new URL(`./sql/${name}.sql`, import.meta.url), 'utf8');
}
