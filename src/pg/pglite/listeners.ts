// LISTEN on the one session there is: who listens to what, kept across connections and restarts of the engine.
//
// Only this session can NOTIFY, and it listens again before anything else runs on it. So nothing is missed while the
// engine is away; `listening` is still told anew, as it is when a server comes back.

import type { ListenEvent, Notification } from '../driver.ts';

type OnEvent = (event: ListenEvent) => void;

export class Listeners {
  readonly #byChannel = new Map<string, Set<OnEvent>>();

  get channels(): readonly string[] {
    return [...this.#byChannel.keys()];
  }

  /** True: nobody listened to this channel before. */
  add(channel: string, onEvent: OnEvent): boolean {
    const others = this.#byChannel.get(channel);
    if (others === undefined) this.#byChannel.set(channel, new Set([onEvent]));
    else others.add(onEvent);
    return others === undefined;
  }

  /** True: nobody listens to this channel any more. */
  remove(channel: string, onEvent: OnEvent): boolean {
    const all = this.#byChannel.get(channel);
    if (all?.delete(onEvent) !== true || all.size > 0) return false;
    this.#byChannel.delete(channel);
    return true;
  }

  notify(notification: Notification): void {
    for (const onEvent of this.#byChannel.get(notification.channel) ?? [])
      onEvent({ kind: 'notification', notification });
  }

  tellAll(event: ListenEvent): void {
    for (const all of this.#byChannel.values()) for (const onEvent of all) onEvent(event);
  }
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
