// An upload as newer clients of GeoNode follow it: `/api/v2/executionrequest/{id}`. Pure: rows in, JSON out.

import type { EXECUTION_ACTIONS, EXECUTION_STATUSES } from '../kinds/upload/execution.ts';
import type { Run } from './import-run.ts';
import { type FinishedLayer, questionReply } from './upload-replies.ts';
import type { UploadRow } from './upload-row.ts';

export type ExecutionRow = UploadRow & {
  readonly username: string | null;
  readonly created: string;
  readonly finished: string | null;
};

/** A question that is open counts as running, for there is no word for it: `log` says what is asked, and where it is answered. */
function statusOf(state: UploadRow['state'], run: Run | undefined): (typeof EXECUTION_STATUSES)[number] {
  switch (state) {
    case 'READY':
      return 'ready';
    case 'PENDING':
      return run === undefined ? 'ready' : 'running';
    case 'WAITING':
    case 'RUNNING':
    case 'COMPLETE':
      return 'running';
    case 'PROCESSED':
      return 'finished';
    case 'INVALID':
    case 'INCOMPLETE':
      return 'failed';
  }
}

const ACTIONS = { CREATE: 'upload', REPLACE: 'replace', APPEND: 'append' } as const satisfies Record<
  string,
  (typeof EXECUTION_ACTIONS)[number]
>;

export function executionReply(
  upload: ExecutionRow,
  run: Run | undefined,
  layers: readonly FinishedLayer[],
  base: string,
): Record<string, unknown> {
  const { session, state } = upload;
  const status = statusOf(state, run);
  const action = session.process === undefined ? ACTIONS[session.update_mode ?? 'CREATE'] : 'process';
  const error = status === 'failed' ? (session.error_msg ?? 'The import failed.') : null;
  const question = state === 'WAITING' ? questionReply(session.question ?? null) : null;
  return {
    exec_id: upload.execution_id,
    name: upload.name,
    user: upload.username,
    status,
    source: 'upload',
    action,
    func_name: action,
    step: state === 'WAITING' ? 'waiting' : (run?.phase ?? null),
    progress: upload.progress,
    created: upload.created,
    finished: upload.finished,
    log: question === null ? error : `${question['text']} Answer at ${base}/upload/?id=${upload.import_id}`,
    input_params: {
      upload_id: upload.id,
      import_id: upload.import_id,
      title: session.layer_title ?? null,
      abstract: session.layer_abstract ?? null,
      charset: session.charset ?? null,
      time: session.time ?? false,
      permissions: session.permissions ?? {},
      resource_pk: session.target ?? null,
    },
    output_params: {
      resources: layers.map(({ id, address }) => ({ id, detail_url: address })),
      ...(error === null ? {} : { errors: [error] }),
    },
    geonode_resource: status === 'finished' ? upload.resource_id : null,
    link: `${base}/api/v2/executionrequest/${upload.execution_id}/`,
  };
}
