// What the steps of an import are given: who wants it, within which limits, with which engine, and whom to tell how far it is.

import type { BlobStore } from '../../blobs/blob-store.ts';
import type { Driver } from '../../pg/driver.ts';
import type { Answers, EngineChoice } from './import-task.ts';

export type ImportLimits = {
  /** Of the whole reading. */
  readonly seconds: number;
  readonly memoryBytes: number;
  /** What an archive may hold. */
  readonly unpackedBytes: number;
  readonly members: number;
  /** Rows, as text on their way to the database. */
  readonly dataBytes: number;
};

export const DEFAULT_LIMITS: ImportLimits = {
  seconds: 3600,
  memoryBytes: 2 * 1024 ** 3,
  unpackedBytes: 20 * 1024 ** 3,
  members: 10_000,
  dataBytes: 50 * 1024 ** 3,
};

export type ImporterOptions = {
  readonly driver: Driver;
  readonly blobs: BlobStore;
  readonly engine: EngineChoice;
  /** Folders of imports under way are made in it. */
  readonly workFolder: string;
  readonly limits?: Partial<ImportLimits>;
  /** Script of the reading process, where it is not the one that stands with this module. */
  readonly reader?: string;
};

export type ImportRequest = {
  /** Tables are named after it: of one import, only one attempt is under way. */
  readonly id: number;
  readonly files: readonly { readonly name: string; readonly blob: string }[];
  readonly answers: Answers;
};

export type ImportProgress = {
  readonly phase: 'fetching' | 'reading' | 'indexing';
  readonly bytesRead: number;
  readonly bytesTotal: number;
  readonly features: number;
};

export type Attempt = {
  readonly options: ImporterOptions;
  readonly limits: ImportLimits;
  readonly request: ImportRequest;
  /** Of its own, to be removed by whoever made it. */
  readonly folder: string;
  readonly tell: (news: Partial<ImportProgress>) => void;
  readonly signal: AbortSignal;
};
