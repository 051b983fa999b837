// Spans → the body of an OTLP/HTTP request in JSON (`ExportTraceServiceRequest` of OpenTelemetry's protocol).

import type { Attribute, Span, SpanKind } from './span.ts';

const KINDS: { readonly [Kind in SpanKind]: number } = { internal: 1, server: 2, client: 3 };
const STATUS_ERROR = 2;

export function otlpJson(spans: readonly Span[], resource: readonly Attribute[], version: string): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: resource.map(attribute) },
        scopeSpans: [{ scope: { name: 'survest', version }, spans: spans.map(spanJson) }],
      },
    ],
  });
}

function spanJson(span: Span): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentId === undefined ? {} : { parentSpanId: span.parentId }),
    ...(span.state === undefined ? {} : { traceState: span.state }),
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: nanoseconds(span.beganMs),
    endTimeUnixNano: nanoseconds(span.endedMs),
    attributes: span.attributes.map(attribute),
    status: span.error === undefined ? {} : { code: STATUS_ERROR, message: span.error },
  };
}

function attribute([key, value]: Attribute): object {
  if (typeof value === 'string') return { key, value: { stringValue: value } };
  if (typeof value === 'boolean') return { key, value: { boolValue: value } };
  return { key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } };
}

/** As text: a number of JavaScript does not hold nanoseconds since 1970. */
function nanoseconds(ms: number): string {
  return String(BigInt(Math.round((performance.timeOrigin + ms) * 1000)) * 1000n);
}
