// What finds the places of addresses: many at once, in their order.

import type { Result } from '../../../kernel/result.ts';
import type { RunFault } from '../../../layer-ports/process.ts';
import type { Match } from './match.ts';

export type Address = {
  /** Street and town, or the name of a town. */
  readonly place: string;
  /** Empty: it is not said. */
  readonly country: string;
};

export type Lookup = {
  readonly source: string;
  /** Of one run. */
  readonly maxRows: number;
  /** `onAnswered`: of these, so many are. */
  find(
    addresses: readonly Address[],
    signal: AbortSignal,
    onAnswered?: (count: number) => void,
  ): Promise<Result<readonly Match[], RunFault>>;
};
