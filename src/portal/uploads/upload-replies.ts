// What the upload endpoints answer, by the state of the import. Pure: rows in, JSON out.

import type { Run } from './import-run.ts';
import type { Question } from './importer-port.ts';
import type { UploadRow } from './upload-row.ts';

/** A finished layer as `/upload/final` shows it. */
export type FinishedLayer = {
  readonly id: number;
  readonly address: string;
  /** xmin, ymin, xmax, ymax in its own coordinate system. */
  readonly bbox: readonly (number | null)[];
  readonly crs: string;
};

const finalUrl = (importId: number): string => `/upload/final?id=${importId}`;
const resumeUrl = (importId: number): string => `/upload/?id=${importId}`;

/**
 * Right after the files came in. `id` is the import's, as clients of old expect; `upload_id` the record's; `execution_id` what newer
 * clients ask with.
 */
export function acceptedReply(upload: Pick<UploadRow, 'id' | 'import_id' | 'execution_id'>): Record<string, unknown> {
  const { id, import_id: importId, execution_id } = upload;
  return {
    id: importId,
    upload_id: id,
    execution_id,
    success: true,
    status: 'pending',
    url: resumeUrl(importId),
    redirect_to: finalUrl(importId),
  };
}

export function finalReply(upload: UploadRow, layers: readonly FinishedLayer[], base: string): Record<string, unknown> {
  const { id, import_id, state, session } = upload;
  const common = { upload_id: id, state };
  switch (state) {
    case 'PROCESSED': {
      const [layer] = layers;
      // Deleted since, or no longer for this caller.
      if (layer === undefined) break;
      return {
        ...common,
        status: 'finished',
        id: layer.id,
        url: layer.address,
        // A table without places has none.
        ...(layer.bbox.includes(null) ? {} : { bbox: layer.bbox.map((edge) => edge?.toFixed(7)).join(',') }),
        crs: { type: 'name', properties: layer.crs },
        success: true,
        redirect_to: layer.address,
        layers: layers.map(({ id: one, address }) => ({ id: one, url: address })),
        warnings: session.warnings ?? [],
      };
    }
    case 'WAITING':
      return {
        ...common,
        status: 'incomplete',
        success: true,
        id: import_id,
        url: resumeUrl(import_id),
        redirect_to: `${base}/upload/${session.question?.kind === 'columns' ? 'csv' : 'srs'}?id=${import_id}&force_ajax=true`,
        question: questionReply(session.question ?? null),
      };
    case 'INVALID':
    case 'INCOMPLETE':
      return {
        ...common,
        status: 'error',
        success: false,
        id: import_id,
        url: resumeUrl(import_id),
        redirect_to: null,
        error_msg: session.error_msg ?? 'The import failed.',
      };
    default:
      return {
        ...common,
        status: 'pending',
        success: true,
        id: import_id,
        url: resumeUrl(import_id),
        redirect_to: finalUrl(import_id),
      };
  }
  return {
    ...common,
    status: 'error',
    success: false,
    id: import_id,
    url: resumeUrl(import_id),
    redirect_to: null,
    error_msg: 'The layer is not there any more.',
  };
}

/** What a person has to say, and under which names. */
export function questionReply(question: Question | null): Record<string, unknown> | null {
  if (question === null) return null;
  switch (question.kind) {
    case 'crs':
      return {
        kind: 'crs',
        file: question.file,
        text: `In which coordinate system is ${question.file}? A code like EPSG:4326.`,
        ...(question.said === undefined ? {} : { said: question.said, reason: question.reason ?? null }),
        fields: ['crs'],
      };
    case 'columns':
      return {
        kind: 'columns',
        file: question.file,
        text: `Which columns of ${question.file} hold the coordinates?`,
        fields: ['x', 'y', 'wkt'],
        columns: question.columns,
        ...(question.sheets === undefined ? {} : { sheets: question.sheets }),
      };
    case 'missing-columns':
      return {
        kind: 'missing-columns',
        file: question.file,
        text: `${question.file} has no ${question.columns.map((name) => `"${name}"`).join(', ')}: keep the values by a key, or empty them?`,
        fields: ['missing', 'key'],
        columns: question.columns,
        keys: question.keys,
      };
  }
}

export function progressReply(upload: UploadRow, run: Run | undefined): Record<string, unknown> {
  return {
    id: upload.id,
    import_id: upload.import_id,
    state: upload.state,
    progress: upload.progress,
    phase: run?.phase ?? null,
    bytes_read: run?.bytesRead ?? 0,
    bytes_total: run?.bytesTotal ?? 0,
    features: run?.features ?? 0,
    question: upload.state === 'WAITING' ? questionReply(upload.session.question ?? null) : null,
    error_msg: upload.state === 'INVALID' ? (upload.session.error_msg ?? null) : null,
    reason: upload.state === 'INVALID' ? (upload.session.reason ?? null) : null,
    can_retry: upload.state === 'INVALID' && upload.session.can_retry === true,
    layer: upload.state === 'PROCESSED' ? upload.resource_id : null,
    warnings: upload.state === 'PROCESSED' ? (upload.session.warnings ?? []) : [],
    rows: upload.state === 'PROCESSED' ? (upload.session.rows ?? null) : null,
  };
}

const IMPORT_STATES: Readonly<Record<UploadRow['state'], string>> = {
  READY: 'INIT',
  PENDING: 'PENDING',
  WAITING: 'INCOMPLETE',
  RUNNING: 'RUNNING',
  COMPLETE: 'COMPLETE',
  PROCESSED: 'COMPLETE',
  INVALID: 'INCOMPLETE',
  INCOMPLETE: 'INCOMPLETE',
};

/** The import session of the map server. */
export function importReply(
  upload: UploadRow,
  run: Run | undefined,
  layers: readonly { readonly id: number; readonly name: string; readonly title: string; readonly srs: string }[],
  base: string,
): Record<string, unknown> {
  const href = `${base}/mapserver/rest/imports/${upload.import_id}`;
  const state = run !== undefined && upload.state === 'PENDING' ? 'RUNNING' : IMPORT_STATES[upload.state];
  const mode = upload.session.update_mode ?? 'CREATE';
  const task = (n: number, layer: Record<string, unknown> | undefined): Record<string, unknown> => ({
    id: n,
    href: `${href}/tasks/${n}`,
    state: taskState(upload, run),
    progress: `${href}/tasks/${n}/progress`,
    share: upload.progress / 100,
    updateMode: mode,
    data: { type: 'file', format: upload.session.upload_type ?? null },
    target: { href: `${base}/mapserver/rest/workspaces/portal`, dataStore: { name: 'portal_data', type: 'PostGIS' } },
    layer: layer ?? { name: upload.name },
    ...(upload.state === 'INVALID' ? { errorMessage: upload.session.error_msg ?? null } : {}),
  });
  const tasks = layers.length === 0 ? [task(0, undefined)] : layers.map((layer, n) => task(n, layer));
  return {
    id: upload.import_id,
    href,
    state,
    archive: true,
    targetWorkspace: { workspace: { name: 'portal' } },
    tasks,
  };
}

function taskState(upload: UploadRow, run: Run | undefined): string {
  switch (upload.state) {
    case 'READY':
    case 'PENDING':
      return run === undefined ? 'READY' : 'RUNNING';
    case 'WAITING':
      return upload.session.question?.kind === 'crs' ? 'NO_CRS' : 'NO_BOUNDS';
    case 'RUNNING':
      return 'RUNNING';
    case 'COMPLETE':
    case 'PROCESSED':
      return 'COMPLETE';
    case 'INVALID':
    case 'INCOMPLETE':
      return 'ERROR';
  }
}
