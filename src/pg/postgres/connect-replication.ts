// Settings → a replication connection to the primary, by the same hosts, TLS and authentication as any other.

import { err, ok } from '../../kernel/result.ts';
import type { DecodeOptions, ReplicationPeer } from '../replication/decode.ts';
import { ReplicationConnection } from '../replication/replication-connection.ts';
import { cancelBackend } from './cancel.ts';
import { connectSettings, type Environment } from './connect-settings.ts';
import { makeReachHost } from './reach-host.ts';

export function makeReplicationConnector(
  uri: string,
  env: Environment,
  applicationName: string | undefined,
  connectTimeoutMs: number,
): DecodeOptions['connect'] {
  const settings = connectSettings(uri, env, applicationName);
  if (!settings.ok) return async () => err({ message: settings.error.message });
  const reach = makeReachHost<ReplicationPeer>({
    settings: settings.value,
    connectTimeoutMs,
    startup: 'replication',
    accept: async ({ socket, read }, endpoint) => {
      const connection = new ReplicationConnection(socket, read);
      const standby = await connection.ask('select pg_catalog.pg_is_in_recovery()');
      if (standby.ok && standby.value[0]?.[0] === 'f')
        return { connection, cancel: () => void cancelBackend(endpoint, connectTimeoutMs) };
      connection.destroy('not the primary');
      return undefined;
    },
  });
  return async () => {
    const reached = await reach('primary');
    return reached.ok ? ok(reached.value.value) : reached;
  };
}
