// The reply to OPTIONS: what can be done here.

import type { HttpReply } from '../../http/http-message.ts';

/** What may be done is told to any page, unless the pages were chosen. */
export function infoReply(allow: string, forAll: boolean): HttpReply {
  return {
    status: 200,
    headers: [
      ['Allow', allow],
      ...(forAll ? [['Access-Control-Allow-Origin', '*'] as const] : []),
      ['Content-Length', '0'],
    ],
  };
}
