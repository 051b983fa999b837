// What is known of whoever sent a request, beside the request.

import type { MemoryBudget } from '../../http/memory-budget.ts';
import type { CancelSignal } from '../../pg/driver.ts';

export type ClientInfo = {
  readonly signal: CancelSignal | undefined;
  readonly remoteAddress: string | undefined;
  readonly httpVersion: string;
  /** Where what a request becomes larger by is counted; undefined: nobody counts. */
  readonly memory?: RequestMemory | undefined;
};

export type RequestMemory = Pick<MemoryBudget, 'grow' | 'give'>;
