// The OTLP exporter: spans are collected, sent in batches over HTTP, and dropped where they cannot be, so that a collector that is slow or away costs
// no request anything. The queue is bounded, and what is dropped is counted.

import { otlpJson } from './otlp-json.ts';
import type { Attribute, Span } from './span.ts';

export type OtlpOptions = {
  /** Of the collector, as `http://localhost:4318`; the path `/v1/traces` is added where it is not there. */
  readonly endpoint: string;
  /** Sent with each batch. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly version: string;
  /** Told once when batches begin to be refused, and not again before one was taken. */
  readonly onRefused: (message: string) => void;
};

export type TraceStats = { readonly exported: number; readonly dropped: number };

const QUEUE = 4096;
const BATCH = 512;
const INTERVAL_MS = 1000;
const PATIENCE_MS = 10_000;

export class OtlpExporter {
  readonly #options: OtlpOptions;
  readonly #address: string;
  readonly #resource: readonly Attribute[];
  #queue: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #exported = 0;
  #dropped = 0;
  #isRefused = false;

  constructor(options: OtlpOptions) {
    this.#options = options;
    const endpoint = options.endpoint.replace(/\/$/, '');
    this.#address = endpoint.endsWith('/v1/traces') ? endpoint : `${endpoint}/v1/traces`;
    this.#resource = [
      ['service.name', 'survest'],
      ['service.version', options.version],
      ['process.pid', process.pid],
    ];
  }

  add(span: Span): void {
    if (this.#queue.length >= QUEUE) {
      this.#dropped += 1;
      return;
    }
    this.#queue.push(span);
    if (this.#queue.length >= BATCH) this.#send();
    else if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.#send(), INTERVAL_MS);
      this.#timer.unref();
    }
  }

  stats(): TraceStats {
    return { exported: this.#exported, dropped: this.#dropped };
  }

  /** Sends what is left, for a bounded time. */
  async close(): Promise<void> {
    await this.#sending;
    this.#send();
    await this.#sending;
    clearTimeout(this.#timer);
  }

  #send(): void {
    if (this.#sending !== undefined || this.#queue.length === 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#queue.slice(0, BATCH);
    this.#queue = this.#queue.slice(BATCH);
    this.#sending = this.#post(batch).then((problem) => {
      this.#sending = undefined;
      if (problem === undefined) this.#exported += batch.length;
      else this.#dropped += batch.length;
      if (problem !== undefined && !this.#isRefused) this.#options.onRefused(problem);
      this.#isRefused = problem !== undefined;
      if (this.#queue.length >= BATCH) this.#send();
      else if (this.#queue.length > 0 && this.#timer === undefined) {
        this.#timer = setTimeout(() => this.#send(), INTERVAL_MS);
        this.#timer.unref();
      }
    });
  }

  /** What went wrong, if anything. */
  async #post(batch: readonly Span[]): Promise<string | undefined> {
    try {
      const answer = await fetch(this.#address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...Object.fromEntries(this.#options.headers) },
        body: otlpJson(batch, this.#resource, this.#options.version),
        signal: AbortSignal.timeout(PATIENCE_MS),
        redirect: 'error',
      });
      await answer.body?.cancel();
      return answer.ok ? undefined : `the collector answered ${answer.status}`;
    } catch (cause) {
      return cause instanceof Error ? `${cause.message}${causeOf(cause)}` : String(cause);
    }
  }
}

/** `fetch` says why only behind its own words. */
function causeOf({ cause }: Error): string {
  return cause instanceof Error ? `: ${cause.message}` : '';
}
