// `--ready`: asks the admin server of a running program whether it is ready.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { RestConfig } from '../../rest/config/config.ts';

export type ReadyError =
  | { readonly kind: 'no-admin-server' }
  | { readonly kind: 'unreachable'; readonly address: string }
  | { readonly kind: 'not-ready'; readonly address: string; readonly status: number };

type AdminAddress = Pick<RestConfig, 'adminServerHost' | 'adminServerPort' | 'serverHost'>;

const TIMEOUT_MS = 5_000;

export async function askReady(config: AdminAddress): Promise<Result<{ readonly address: string }, ReadyError>> {
  const address = readyAddress(config);
  if (address === undefined) return err({ kind: 'no-admin-server' });
  try {
    const reply = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' });
    await reply.body?.cancel();
    return reply.status === 200 ? ok({ address }) : err({ kind: 'not-ready', address, status: reply.status });
  } catch {
    return err({ kind: 'unreachable', address });
  }
}

/** Undefined: there is no admin server, or it has a port nobody can know (0). */
export function readyAddress(config: AdminAddress): string | undefined {
  if (config.adminServerPort === undefined || config.adminServerPort === 0) return undefined;
  const host = reachable(config.adminServerHost ?? config.serverHost);
  return `http://${host}:${config.adminServerPort}/ready`;
}

/** A server that listens on every address is asked on this machine's own. */
function reachable(host: string): string {
  switch (host) {
    case '*':
    case '*4':
    case '!4':
    case '0.0.0.0':
      return '127.0.0.1';
    case '*6':
    case '!6':
    case '::':
      return '[::1]';
    default:
      return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  }
}

export function describeReadyError(error: ReadyError): string {
  switch (error.kind) {
    case 'no-admin-server':
      return 'there is no admin server to ask: set admin-server-port (to something other than 0)';
    case 'unreachable':
      return `nobody answers at ${error.address}`;
    case 'not-ready':
      return `not ready: ${error.address} answers ${error.status}`;
  }
}
