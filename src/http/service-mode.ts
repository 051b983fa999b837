// The mode of service: normal, read-only, or maintenance, with the message that people are told. It stands in the database (`src/portal/schema/operation`), so
// that all copies of the program follow it; which requests each mode refuses is said here.

export type ClosedMode = 'read-only' | 'maintenance';

export type ServiceMode =
  | { readonly kind: 'normal' }
  | { readonly kind: ClosedMode; readonly message: string; readonly since: string };

export const NORMAL: ServiceMode = { kind: 'normal' };

/** Nobody knows when the operator is done; clients ask again after this. */
export const CLOSED_RETRY_SECONDS = 60;

/** What the database raises where the mode forbids writing; the hint is the mode. */
export const CLOSED_SQLSTATE = 'SV503';

export function closedBy(error: { readonly message: string; readonly hint: string | null }): {
  readonly mode: ClosedMode;
  readonly message: string;
} {
  return { mode: error.hint === 'maintenance' ? 'maintenance' : 'read-only', message: error.message };
}

/** Methods that promise to change nothing. QUERY is a read with a body. */
export function onlyReads(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'QUERY';
}
