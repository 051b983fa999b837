// Whether a failed read is worth a retry on another connection: the server ended this one (shut down, in recovery after the crash of another, idle for too
// long), and the read was not the cause of it. One whose connection just broke off is not sent again: it may be what broke the server. Nor is one in which
// a function raised such a code.

export function wasEnded(error: {
  readonly kind: string;
  readonly sqlstate?: unknown;
  readonly isFatal?: unknown;
}): boolean {
  return error.kind === 'sql' && error.isFatal === true && ENDED.has(String(error.sqlstate));
}

/** admin_shutdown, crash_shutdown, cannot_connect_now, idle_session_timeout. */
const ENDED: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '57P05']);
