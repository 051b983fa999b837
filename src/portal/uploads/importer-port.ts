// What uploads ask of the map server: to read files into tables that stand ready. The map server fills it; `server` puts the
// two together. Only what is used here is named.

import type { Result } from '../../kernel/result.ts';
import type { Staged } from '../../layer-ports/staged.ts';
import type { TableChoices, TablePreview } from '../../layer-ports/table-choices.ts';

export type Answers = {
  readonly charset?: string;
  readonly crs?: string;
  readonly x?: string;
  readonly y?: string;
  readonly wkt?: string;
  readonly places?: 'none';
  readonly sheet?: string;
  readonly isOne?: true;
  /** What becomes of columns of a layer that the file in place of its rows does not have. Undefined: the file is refused. */
  readonly missing?: 'keep' | 'empty' | 'ask';
  /** With `keep`: by which column rows are found again. */
  readonly key?: string;
  readonly table?: TableChoices;
};

export type Question =
  /** `said`: why it is asked again; `reason`: the same as data. */
  | { readonly kind: 'crs'; readonly file: string; readonly said?: string; readonly reason?: unknown }
  | {
      readonly kind: 'columns';
      readonly file: string;
      readonly columns: readonly string[];
      readonly sheets?: readonly string[];
    }
  /** `keys`: columns that both have, and that may tell the rows apart. */
  | {
      readonly kind: 'missing-columns';
      readonly file: string;
      readonly columns: readonly string[];
      readonly keys: readonly string[];
    };

export type ImportProgress = {
  readonly phase: 'fetching' | 'reading' | 'indexing';
  readonly bytesRead: number;
  readonly bytesTotal: number;
  readonly features: number;
};

/** `F`: a failure as the map server knows it; `failureText` says it to people. */
export type ImportStop<F> =
  | { readonly kind: 'failed'; readonly failure: F }
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'unavailable'; readonly error: { readonly kind: string; readonly message?: string } };

export type ImporterPort<F> = {
  run<T>(
    request: {
      readonly id: number;
      readonly files: readonly { readonly name: string; readonly blob: string }[];
      readonly answers: Answers;
    },
    onProgress: (progress: ImportProgress) => void,
    signal: AbortSignal,
    publish: (staged: Staged) => Promise<T>,
  ): Promise<Result<T, ImportStop<F>>>;
  preview(
    request: { readonly files: readonly { readonly name: string; readonly blob: string }[]; readonly answers: Answers },
    signal: AbortSignal,
  ): Promise<Result<TablePreview, ImportStop<F>>>;
  clear(id: number): Promise<void>;
  clearFolders(): Promise<void>;
};
