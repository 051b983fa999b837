// LISTEN on a connection of its own: connect, listen, and when it is lost do so again after a while, until closed.
// Notifications sent while it was away are gone, so every `listening` after the first means: look again.

import { quoteIdent } from '../../sql/index.ts';
import type { ListenEvent, Listener } from '../driver.ts';
import type { Connected } from '../session/connected.ts';
import { RETRY_MS, type RetryMs, reconnect } from '../session/reconnect.ts';
import type { Connector } from './connect.ts';

export type ListenPace = {
  /** Waits before the tries to connect again, the last one repeated. */
  readonly retryMs: RetryMs;
  /** How often a listening connection is asked whether it is still there, and how long it may take to answer. */
  readonly checkMs: number;
  readonly answerMs: number;
};

export const LISTEN_PACE: ListenPace = {
  retryMs: RETRY_MS,
  checkMs: 30_000,
  answerMs: 10_000,
};

export function listen(
  connect: Connector,
  channel: string,
  onEvent: (event: ListenEvent) => void,
  pace: ListenPace,
): Listener {
  let current: Connected | undefined;
  let connecting = false;

  /** Resolves with the reason once there is no connection, or no longer one. */
  const listenOnce = async (onListening: () => void): Promise<string> => {
    // A standby cannot LISTEN: with several hosts, this one goes to the primary wherever the pool goes.
    connecting = true;
    const opened = await connect('primary');
    connecting = false;
    if (!opened.ok) return opened.error.message;
    current = opened.value;
    const { connection } = current;
    const ended = new Promise<string>((resolve) => {
      connection.onEnd = resolve;
      if (!connection.isOpen) resolve('the connection was lost at once');
    });
    connection.onNotification = (notification) => {
      if (!tries.isClosed) onEvent({ kind: 'notification', notification });
    };
    if (tries.isClosed) connection.destroy('the listener was closed');
    const outcome = await connection.execute([{ text: `listen ${quoteIdent(channel)}`, params: [] }]);
    if (outcome.kind === 'reply' && outcome.reply.failure !== null) {
      await connection.close('LISTEN was refused');
      return outcome.reply.failure.error.message;
    }
    if (outcome.kind === 'lost') return outcome.message;
    onListening();
    const checks = setInterval(() => void check(opened.value), pace.checkMs);
    const message = await ended;
    clearInterval(checks);
    return message;
  };

  /** A connection cut without a word looks like one where nothing happens; only asking tells them apart. */
  const check = async ({ connection }: Connected): Promise<void> => {
    if (connection.isBusy) return;
    const timer = setTimeout(() => connection.destroy('the server no longer answers'), pace.answerMs);
    await connection.execute([{ text: 'select 1', params: [] }]);
    clearTimeout(timer);
  };

  const once = (onOpen: () => void): Promise<string> =>
    listenOnce(() => {
      onOpen();
      onEvent({ kind: 'listening' });
    });
  const tries = reconnect(once, pace.retryMs, (message, retryInMs) => onEvent({ kind: 'lost', message, retryInMs }));
  return {
    close: async () => {
      tries.stop();
      await current?.connection.close('the listener was closed');
      // A connection on its way is closed when it arrives; nobody has to wait for that.
      if (!connecting) await tries.done;
    },
  };
}
