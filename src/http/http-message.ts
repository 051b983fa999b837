// One HTTP exchange as the services see it: the request already read to its end, the reply not yet written.
// Nothing here knows which server library stands below.

import type { Readable } from 'node:stream';
import type { SpooledBody } from './spooled-body.ts';

export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export type HttpRequest = {
  readonly method: string;
  /** As it came, still percent-encoded, without the query. */
  readonly path: string;
  /** What stood before `path` and was taken off: where the service stands below another path. Without a slash at the end. */
  readonly mount?: string;
  /** As it came, still percent-encoded, without the `?`; empty when there is none. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: HttpHeaders;
  readonly body: Uint8Array;
  /** The body where it is too large to be held; `body` is empty then. */
  readonly spooled?: SpooledBody;
};

export type HttpReply = {
  readonly status: number;
  /** Reason phrase, where it is not the standard one. */
  readonly statusText?: string;
  /** In the order they are sent; a name may stand repeatedly. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array | string;
  /** Told by a writer that has sent all of `body` and is the last to hold it: its memory is used again. Nobody has to. */
  readonly onSent?: () => void;
  /** The body as it comes, in place of `body`. If it fails the connection ends, so that nobody takes a part for the whole. */
  readonly stream?: Readable;
};

/** The header's value; the first one when it was sent several times. */
export function firstHeader(headers: HttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value[0];
}

/** Every value of a header that may be sent several times. */
export function allHeaders(headers: HttpHeaders, name: string): readonly string[] {
  const value = headers[name];
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}
