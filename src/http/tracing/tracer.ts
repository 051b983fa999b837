// Which requests are traced, and the spans of one: that of the request itself, and one for each stage of it. A request that is not traced has no trace
// object, and nothing is noted for it.

import { randomBytes } from 'node:crypto';
import type { HttpHeaders } from '../http-message.ts';
import type { Attribute, Span, SpanKind } from './span.ts';
import { readTraceParent, type TraceParent } from './trace-context.ts';

export type Tracer = {
  /**
   * Undefined: this request is not traced. The caller of a request that belongs to a trace has decided; of the others this part of all is, between 0 and 1.
   */
  begin(headers: HttpHeaders, ratio: number): RequestTrace | undefined;
};

export function makeTracer(sink: { add(span: Span): void }): Tracer {
  return {
    begin(headers, ratio) {
      const parent = readTraceParent(headers);
      const isTraced = parent?.sampled ?? (ratio > 0 && Math.random() < ratio);
      return isTraced ? new RequestTrace(parent, sink) : undefined;
    },
  };
}

export class RequestTrace {
  readonly traceId: string;
  /** As the database and everybody behind us are told. */
  readonly traceparent: string;
  /** What the database is asked about, for the name of its span. */
  operation: { readonly name: string; readonly on: string } | undefined;
  readonly #spanId = randomBytes(8).toString('hex');
  readonly #parent: TraceParent | undefined;
  readonly #sink: { add(span: Span): void };
  readonly #beganMs = performance.now();

  constructor(parent: TraceParent | undefined, sink: { add(span: Span): void }) {
    this.#parent = parent;
    this.#sink = sink;
    this.traceId = parent?.traceId ?? randomBytes(16).toString('hex');
    this.traceparent = `00-${this.traceId}-${this.#spanId}-01`;
  }

  stage(
    name: string,
    beganMs: number,
    endedMs: number,
    more: {
      readonly kind?: SpanKind;
      readonly attributes?: readonly Attribute[];
      readonly error?: string | undefined;
    } = {},
  ): void {
    this.#sink.add({
      traceId: this.traceId,
      spanId: randomBytes(8).toString('hex'),
      parentId: this.#spanId,
      state: this.#parent?.state,
      name,
      kind: more.kind ?? 'internal',
      beganMs,
      endedMs,
      attributes: more.attributes ?? [],
      error: more.error,
    });
  }

  /** Once, when the answer is out. A failure of ours is an error of the span; a mistake of the client is not (HTTP conventions of OpenTelemetry). */
  end(name: string, status: number, attributes: readonly Attribute[]): void {
    this.#sink.add({
      traceId: this.traceId,
      spanId: this.#spanId,
      parentId: this.#parent?.spanId,
      state: this.#parent?.state,
      name,
      kind: 'server',
      beganMs: this.#beganMs,
      endedMs: performance.now(),
      attributes: [['http.response.status_code', status], ...attributes],
      error: status >= 500 ? String(status) : undefined,
    });
  }
}
