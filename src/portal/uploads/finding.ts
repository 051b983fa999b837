// What an examination looks at, and what it finds.

import type { CallerDb } from '../../auth/caller-db.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import type { Jobs } from '../../jobs/jobs.ts';

export type Finding = {
  readonly kind:
    | 'staged-table'
    | 'table-without-layer'
    | 'layer-without-table'
    | 'layer-without-data'
    | 'orphan-file'
    | 'foreign-file'
    | 'missing-file'
    | 'forgotten-upload'
    | 'dead-import'
    | 'lost-job'
    | 'wrong-total'
    | 'operation'
    | 'quota-exceeded';
  /** Name of the table, key of the file, number of the upload, name of the facet. */
  readonly what: string;
  /** A sentence for people. */
  readonly text: string;
  /** Whether `--fix` does something about it. */
  readonly canFix: boolean;
  readonly isFixed: boolean;
};

export type ExamineOptions = {
  readonly db: CallerDb;
  readonly blobs: BlobStore;
  /** Undefined: nothing is put right. */
  readonly fix?: { readonly jobs: Jobs };
  /** Younger files may belong to something that is just being written. */
  readonly orphanAgeMs: number;
  /** A worker that was not heard of for so long has died. */
  readonly staleMs: number;
  readonly now: number;
};
