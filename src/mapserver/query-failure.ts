// What the database says of a query → whose mistake it is.

import type { DbError } from '../pg/driver.ts';
import type { MapFailure } from './map-context.ts';

/** A value that the column cannot be, or cannot be compared with, is the mistake of who sent it. */
export function queryFailure(error: DbError): MapFailure {
  if (error.kind !== 'sql') return { kind: 'database', error };
  const { sqlstate, message } = error;
  if (/^(?:22|42883|42804|42725|42P18|0A000)/.test(sqlstate) && sqlstate !== '22023')
    return { kind: 'bad-request', detail: `A value does not fit: ${message.slice(0, 200)}` };
  // PostGIS has one code for everything that is wrong with a geometry.
  if (sqlstate === 'XX000' || sqlstate === '22023')
    return { kind: 'bad-request', detail: `A geometry cannot be used: ${message.slice(0, 200)}` };
  return { kind: 'database', error };
}
