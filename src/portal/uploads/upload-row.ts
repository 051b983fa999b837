// An upload as the database has it: its state, what was asked for, what was answered, how it went.

import type { SentInputs } from '../../layer-ports/process.ts';
import type { Answers, Question } from './importer-port.ts';

export const IMPORT_QUEUE = 'import';
/** Files of so many bytes together are read in a moment. */
export const QUICK_BYTES: number = 10 * 1024 * 1024;

/** So often is an import begun that is cut off by something else than its file. */
export const MAX_ATTEMPTS = 3;

export type UploadState =
  | 'READY'
  | 'PENDING'
  | 'WAITING'
  | 'RUNNING'
  | 'COMPLETE'
  | 'PROCESSED'
  | 'INVALID'
  | 'INCOMPLETE';

/** The record's `session`: what was asked for, what was answered, how it went. Names are those of the API. */
export type UploadSession = {
  readonly charset?: string | null;
  readonly permissions?: unknown;
  readonly time?: boolean;
  readonly layer_title?: string | null;
  readonly layer_abstract?: string | null;
  readonly update_mode?: 'CREATE' | 'REPLACE' | 'APPEND';
  /** The layer that is replaced or added to. */
  readonly target?: number;
  readonly answers?: Answers;
  readonly question?: Question | null;
  readonly completed_step?: string | null;
  readonly error_msg?: string | null;
  /** The same as data: `{"kind": …}` and what belongs to it. */
  readonly reason?: unknown;
  /** It failed, and its files are kept: its owner may have it tried again. */
  readonly can_retry?: boolean;
  readonly upload_type?: string | null;
  readonly warnings?: readonly string[];
  /** How many a layer that was replaced or added to had, and has. */
  readonly rows?: { readonly before: number; readonly after: number };
  readonly import_session?: unknown;
  /** No files were sent: a process makes the layer of other layers. */
  readonly process?: WantedProcess;
  /** The file was fetched from an address that the layer follows. */
  readonly source?: WantedSource;
};

/** `key`: the column by which rows are found again; the other members are the database's. */
export type WantedSource = { readonly key?: string | null } & Readonly<Record<string, unknown>>;

type WantedProcess = {
  readonly id: string;
  readonly inputs: SentInputs;
  /** The layers that are read, and the version of their rows when it was asked for. */
  readonly sources: readonly { readonly id: number; readonly version: string }[];
};

export type UploadRow = {
  readonly id: number;
  readonly import_id: number;
  readonly user_id: number | null;
  readonly name: string;
  readonly state: UploadState;
  readonly session: UploadSession;
  readonly resource_id: number | null;
  /** Under which newer clients ask for it. */
  readonly execution_id: string;
  /** In percent. */
  readonly progress: number;
};

export type UploadFileRow = { readonly name: string; readonly blob: string; readonly base: boolean };

export const UPLOAD_COLUMNS =
  'id, import_id, user_id, name, state, session, resource_id, execution_id, portal.upload_progress(id) as progress';
