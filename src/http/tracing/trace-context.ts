// W3C Trace Context: `traceparent` and `tracestate` of a request, checked. What is not as the recommendation says is as if it were not there.

import { firstHeader, type HttpHeaders } from '../http-message.ts';

export type TraceParent = {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly sampled: boolean;
  /** As it came; undefined: there is none, or it is too long. */
  readonly state: string | undefined;
};

const VERSION_00 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** Of a later version what is known already is read; 255 is none. */
const LATER = /^(?!ff|00)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
const NOTHING = /^0+$/;
const LONGEST_PARENT = 256;

const LONGEST_STATE = 512;
const STATE = /^[\x20-\x7e\t]*$/;

export function readTraceParent(headers: HttpHeaders): TraceParent | undefined {
  const header = firstHeader(headers, 'traceparent');
  if (header === undefined || header.length > LONGEST_PARENT) return undefined;
  const found = VERSION_00.exec(header) ?? LATER.exec(header);
  const [, traceId = '', spanId = '', flags = ''] = found ?? [];
  if (found === null || NOTHING.test(traceId) || NOTHING.test(spanId)) return undefined;
  const state = firstHeader(headers, 'tracestate');
  const isFit = state !== undefined && state !== '' && state.length <= LONGEST_STATE && STATE.test(state);
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1, state: isFit ? state : undefined };
}
