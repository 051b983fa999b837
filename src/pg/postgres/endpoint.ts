// Where a connection leads, to reach the same server again for a cancel.

import { networkInterfaces } from 'node:os';
import type { HostTarget } from './connect-settings.ts';
import type { BackendKey } from './open-socket.ts';
import type { TlsChoice } from './tls-options.ts';

export type Endpoint = {
  readonly key: BackendKey;
  readonly target: HostTarget;
  /** The address the name stood for when we connected: behind another there may be another server. */
  readonly address: string;
  readonly tls: TlsChoice;
  readonly directTls: boolean;
};

/** Whether the server is reached without leaving this machine. Behind it may be a tunnel or a proxy; then this is wrong. */
export function isHere({ address }: Endpoint): boolean {
  const plain = address.replace(/^::ffff:/, '');
  if (plain.startsWith('/') || plain.startsWith('127.')) return true;
  return Object.values(networkInterfaces()).some((own) => own?.some((one) => one.address === plain) === true);
}
