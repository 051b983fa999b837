// Listens on the channel that the settings name, and moves to another when they change. What is heard becomes a call: reload
// the schema, reload the settings. A database that nobody shares is not listened to.

import type { Observe } from '../../kernel/observation.ts';
import type { Driver, Listener } from '../../pg/driver.ts';
import { type ChangeEvent, listenForChanges } from './listen-for-changes.ts';
import { parseNotice } from './notice.ts';
import type { ReloadOrder } from './schema-loader.ts';
import type { StateCell } from './state-cell.ts';

export type ChangeListener = {
  /** Listens where the settings in force say, if that is not so already; resolves at the first word of the listener. */
  follow(): Promise<void>;
  isListening(): boolean;
  close(): Promise<void>;
};

export type ChangeListenerOptions = {
  readonly driver: Driver;
  readonly observe: Observe;
  readonly cell: StateCell;
  readonly onReloadSchema: (order: ReloadOrder) => void;
  readonly onReloadConfig: () => void;
  /** From now on everything is heard; what was notified before is lost. */
  readonly onListening: () => void;
  readonly onLost: () => void;
};

export function makeChangeListener(options: ChangeListenerOptions): ChangeListener {
  const { driver, observe, cell } = options;
  let listener: Listener | undefined;
  let channel: string | undefined;
  let isListening = false;
  let closed = false;

  function wantedChannel(): string | undefined {
    const { dbChannelEnabled, dbChannel } = cell.current.config;
    return dbChannelEnabled && driver.can.share && !closed ? dbChannel : undefined;
  }

  function heard(on: string, event: ChangeEvent): void {
    switch (event.kind) {
      case 'listening':
        isListening = true;
        observe({ kind: 'listener-ready', channel: on });
        options.onListening();
        break;
      case 'lost':
        isListening = false;
        options.onLost();
        observe({ kind: 'listener-lost', channel: on, message: event.message, retryInMs: event.retryInMs });
        break;
      case 'deaf':
        observe({ kind: 'listener-deaf', channel: on });
        break;
      case 'notification':
        notified(on, event.notification.payload);
        break;
    }
  }

  function notified(on: string, payload: string): void {
    observe({ kind: 'notified', channel: on, payload });
    const notice = parseNotice(payload);
    if (notice?.kind === 'reload-schema') options.onReloadSchema(notice.relations);
    else if (notice?.kind === 'reload-config') options.onReloadConfig();
  }

  return {
    follow() {
      const wanted = wantedChannel();
      if (wanted === channel) return Promise.resolve();
      void listener?.close();
      listener = undefined;
      channel = wanted;
      isListening = false;
      if (wanted === undefined) return Promise.resolve();
      return new Promise((resolve) => {
        const schemas = (): readonly string[] => cell.current.cache?.schemas ?? cell.current.config.dbSchemas;
        listener = listenForChanges({ driver, channel: wanted, schemas }, (event) => {
          // A listener that was left behind may still have a word under way.
          if (wanted !== channel) return;
          heard(wanted, event);
          resolve();
        });
      });
    },
    isListening: () => isListening,
    async close() {
      closed = true;
      await listener?.close();
    },
  };
}
