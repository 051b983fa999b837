// Where a connection leads, to reach the same server again for a cancel.

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
