// OPTIONS: what can be done with a thing, whoever asks. Capability, not privilege.

import { ALSO_QUERY } from '../../http/query-method.ts';
import type { Routine, Table } from '../schema-cache/schema-cache.ts';

export function allowOnTable({ insertable, updatable, deletable, primaryKey }: Table): string {
  const methods = ['OPTIONS', 'GET', 'HEAD'];
  if (insertable) methods.push('POST');
  if (insertable && updatable && primaryKey.length > 0) methods.push('PUT');
  if (updatable) methods.push('PATCH');
  if (deletable) methods.push('DELETE');
  return methods.join() + ALSO_QUERY;
}

/** A name may stand for several functions: one that only reads is enough to GET. */
export function allowOnRoutines(overloads: readonly Routine[]): string {
  return overloads.some(({ volatility }) => volatility !== 'volatile')
    ? `OPTIONS,GET,HEAD,POST${ALSO_QUERY}`
    : 'OPTIONS,POST';
}

export const ALLOW_ON_ROOT = 'OPTIONS,GET,HEAD';
