import { expect, test } from 'vitest';
import { readTraceParent } from './trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test('a traceparent names trace, span and whether it is sampled', () => {
  const read = (flags: string) => readTraceParent({ traceparent: `00-${TRACE}-${SPAN}-${flags}`, tracestate: 'a=b' });
  expect(read('01')).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true, state: 'a=b' });
  expect(read('00')?.sampled).toBe(false);
  expect(readTraceParent({ traceparent: `cc-${TRACE}-${SPAN}-01-what-will-be` })?.traceId).toBe(TRACE);
});

test.each([
  '',
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `cc-${TRACE}-${SPAN}-01-${'x'.repeat(1000)}`,
  "00-'*/ select 1; --",
])('%j is none', (traceparent) => {
  expect(readTraceParent({ traceparent })).toBeUndefined();
});

test('a tracestate that is too long, or has characters of control, is left out', () => {
  for (const tracestate of ['x'.repeat(513), 'a=\u0007'])
    expect(readTraceParent({ traceparent: `00-${TRACE}-${SPAN}-01`, tracestate })?.state).toBeUndefined();
});
