// What is made of layers by analysis: how a process describes itself, and the port by which the portal has one checked, tried on a sample
// and run. The map server fills it; every question is put as the caller.

import type { Caller } from '../auth/caller.ts';
import type { RequestInfo } from '../auth/caller-db.ts';
import type { Result } from '../kernel/result.ts';
import type { DbError } from '../pg/driver.ts';
import type { GeometryKind } from './layer.ts';
import type { Staged } from './staged.ts';

type Described = { readonly title: string; readonly description: string; readonly isOptional?: true };

/** What a process is given. `of`: the input with the layer that it is about. */
export type ProcessInput = Described &
  /** `orTable`: its rows need no places. */
  (
    | { readonly kind: 'layer'; readonly geometry: readonly GeometryKind[]; readonly orTable?: true }
    | { readonly kind: 'raster' }
    | { readonly kind: 'layers'; readonly least: number; readonly most: number }
    | { readonly kind: 'number'; readonly minimum: number; readonly maximum: number }
    | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly otherwise: string }
    | { readonly kind: 'flag' }
    | { readonly kind: 'column'; readonly of: string; readonly isNumber?: true }
    /** A band of the raster, from 1; the first one where it is left out. */
    | { readonly kind: 'band'; readonly of: string }
    | { readonly kind: 'text'; readonly most: number }
    /** A condition in CQL2 text. */
    | { readonly kind: 'filter'; readonly of: string }
  );

export type ProcessDescription = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, ProcessInput>>;
};

/** As they were sent: names and values, none of them looked at. */
export type SentInputs = Readonly<Record<string, unknown>>;

export type ProcessFault =
  | { readonly kind: 'no-such-process' }
  /** By input. */
  | { readonly kind: 'bad-inputs'; readonly inputs: Readonly<Record<string, string>> }
  /** Said to the caller as it is. */
  | { readonly kind: 'refused'; readonly said: string }
  | { readonly kind: 'database'; readonly error: DbError };

/** Why a run has made nothing. */
export type RunFault =
  | ProcessFault
  /** It has worked for as long as it may at once: begun anew, it goes on where it was. */
  | { readonly kind: 'unfinished' }
  /** Something elsewhere does not answer; said to the caller, who may try again. */
  | { readonly kind: 'unavailable'; readonly said: string };

export type CheckedProcess = {
  /** What the result is called where nobody says otherwise. */
  readonly title: string;
  /** The layers whose rows are read. */
  readonly sources: readonly { readonly id: number; readonly title: string }[];
};

export type ProcessProgress = {
  readonly phase: 'reading' | 'indexing';
  /** Rows that were made, of about so many. */
  readonly rows: number;
  readonly expected: number;
};

export type ProcessRequest = {
  readonly process: string;
  readonly inputs: SentInputs;
};

export type ProcessPort = {
  readonly list: readonly ProcessDescription[];
  check(caller: Caller, info: RequestInfo, request: ProcessRequest): Promise<Result<CheckedProcess, ProcessFault>>;
  /** What becomes of a sample of the rows: GeoJSON. */
  preview(caller: Caller, info: RequestInfo, request: ProcessRequest): Promise<Result<string, ProcessFault>>;
  /**
   * Hands a layer that stands ready to `publish`; afterwards nothing is left but what `publish` has made its own. `id`: of the execution, by
   * which its tables are named. Throws what the signal's abort throws.
   */
  run<T>(
    caller: Caller,
    id: number,
    request: ProcessRequest,
    onProgress: (progress: ProcessProgress) => void,
    signal: AbortSignal,
    publish: (staged: Staged) => Promise<T>,
  ): Promise<Result<T, RunFault>>;
};
