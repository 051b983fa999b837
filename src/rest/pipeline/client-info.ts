// What is known of whoever sent a request, beside the request.

import type { CancelSignal } from '../../pg/driver.ts';

export type ClientInfo = {
  readonly signal: CancelSignal | undefined;
  readonly remoteAddress: string | undefined;
  readonly httpVersion: string;
};
