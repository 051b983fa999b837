// Why the database refuses SQL of administrators, where it says so: an administrator is told which setting is in the way. Pure.

import type { DbError } from '../../pg/driver.ts';
import type { PortalError } from '../errors/portal-error.ts';

export function refusalOf(error: DbError): PortalError {
  const isRefused = error.kind === 'sql' && error.sqlstate === '42501' && error.detail !== null;
  return isRefused ? { kind: 'forbidden', detail: `${error.detail}.` } : { kind: 'database', error };
}
