// A listener of live streams, in this process: server-sent events in, the rows that they amount to out.

import type { Readable } from 'node:stream';
import type { HttpReply } from '../../src/http/http-message.ts';
import type { RestService } from '../../src/rest/lifecycle/rest-service.ts';
import { tokenFor } from './rest-client.ts';

export type LiveEvent = { readonly name: string; readonly data: unknown; readonly id: string | undefined };

export type LiveOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly lastEventId?: string | undefined;
};

export class LiveClient {
  readonly events: LiveEvent[] = [];
  /** By their keys, as JSON. */
  rows: Map<string, unknown> = new Map();
  lastEventId: string | undefined;
  hasEnded = false;
  readonly #stream: Readable;
  #text = '';
  #waiting: (() => void)[] = [];

  constructor(stream: Readable, before?: LiveClient) {
    this.#stream = stream;
    if (before !== undefined) {
      this.rows = new Map(before.rows);
      this.lastEventId = before.lastEventId;
    }
    stream.on('data', (chunk: Buffer) => this.#take(chunk.toString()));
    stream.once('close', () => {
      this.hasEnded = true;
      this.#wake();
    });
    stream.on('error', () => {});
  }

  /** Resolves as soon as it holds; looks again at every event, and at the end. */
  async until(holds: (client: LiveClient) => boolean): Promise<void> {
    while (!holds(this)) {
      if (this.hasEnded) throw new Error(`the stream has ended: ${JSON.stringify(this.events.at(-1))}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  ended(): Promise<void> {
    return this.hasEnded ? Promise.resolve() : new Promise((resolve) => this.#stream.once('close', () => resolve()));
  }

  names(): readonly string[] {
    return this.events.map(({ name }) => name);
  }

  values(): readonly unknown[] {
    return [...this.rows.values()];
  }

  pause(): void {
    this.#stream.pause();
  }

  close(): void {
    this.#stream.destroy();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) one();
  }

  #take(text: string): void {
    this.#text += text;
    for (let end = this.#text.indexOf('\n\n'); end >= 0; end = this.#text.indexOf('\n\n')) {
      const block = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 2);
      this.#event(block.split('\n'));
    }
  }

  #event(lines: readonly string[]): void {
    let [name, id]: [string, string | undefined] = ['', undefined];
    const data: string[] = [];
    for (const line of lines) {
      if (line.startsWith('event: ')) name = line.slice(7);
      else if (line.startsWith('id: ')) id = line.slice(4);
      else if (line.startsWith('data: ')) data.push(line.slice(6));
    }
    if (name === '') return;
    this.lastEventId = id ?? this.lastEventId;
    const value = JSON.parse(data.join('\n')) as { key?: unknown; row?: unknown };
    if (name === 'reset') this.rows.clear();
    if (name === 'row') this.rows.set(JSON.stringify(value.key), value.row);
    if (name === 'gone') this.rows.delete(JSON.stringify(value.key));
    this.events.push({ name, data: value, id });
    this.#wake();
  }
}

export async function askLive(service: RestService, target: string, options: LiveOptions = {}): Promise<HttpReply> {
  const mark = target.indexOf('?');
  const { headers = {}, claims, lastEventId } = options;
  return service.answer(
    {
      method: 'GET',
      path: mark < 0 ? target : target.slice(0, mark),
      query: mark < 0 ? '' : target.slice(mark + 1),
      headers: {
        accept: 'text/event-stream',
        ...(claims === undefined ? {} : { authorization: `Bearer ${tokenFor(claims)}` }),
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
        ...headers,
      },
      body: new Uint8Array(),
    },
    { signal: undefined, remoteAddress: '127.0.0.1', httpVersion: '1.1' },
  );
}

/** Resolves when it has all rows. `before`: one that has gone, and comes back. */
export async function listenTo(
  service: RestService,
  target: string,
  options: LiveOptions = {},
  before?: LiveClient,
): Promise<LiveClient> {
  const lastEventId = options.lastEventId ?? before?.lastEventId;
  const reply = await askLive(service, target, { ...options, lastEventId });
  if (reply.stream === undefined) throw new Error(`no stream: ${reply.status} ${String(reply.body)}`);
  const client = new LiveClient(reply.stream, before);
  await client.until(({ events }) => events.some(({ name }) => name === 'ready'));
  return client;
}
