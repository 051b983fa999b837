// A span of a trace: a stretch of work with a beginning, an end and a parent, as OpenTelemetry has it.

export type SpanKind = 'internal' | 'server' | 'client';

export type Attribute = readonly [name: string, value: string | number | boolean];

export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly state: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds as `performance.now()` has them. */
  readonly beganMs: number;
  readonly endedMs: number;
  readonly attributes: readonly Attribute[];
  /** What went wrong; undefined: nothing did. */
  readonly error: string | undefined;
};
