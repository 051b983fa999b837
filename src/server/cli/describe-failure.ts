// An exception that ends the program, for whoever started it: one line in words. Where it came from is for who mends it: NODE_DEBUG=survest shows it.

import { debuglog } from 'node:util';
import { DISK_FAULTS, diskFault } from '../../kernel/disk-fault.ts';

const debug = debuglog('survest');

export function describeFailure(cause: unknown): string {
  debug('%o', cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  const { code, path } = (cause ?? {}) as { readonly code?: unknown; readonly path?: unknown };
  const what = typeof path === 'string' ? `"${path}"` : 'a file';
  const fault = diskFault(cause);
  if (fault !== undefined) return `${what} could not be written: ${DISK_FAULTS[fault]}`;
  if (code === 'EACCES' || code === 'EPERM')
    return `${what} could not be opened: this account has no permission for it`;
  return `unexpected failure: ${message.split('\n', 1)[0]} (NODE_DEBUG=survest shows where it happened)`;
}
