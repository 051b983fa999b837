// The execution of a process as OGC API Processes tells of it: how far it is, and what came of it. Pure.

import { assertNever } from '../../kernel/assert-never.ts';
import type { ExecutionRow } from '../uploads/execution-request.ts';
import type { Run } from '../uploads/import-run.ts';
import { JSON_TYPE, type Link } from './process-document.ts';

export const JOB_STATUSES = ['accepted', 'running', 'successful', 'failed', 'dismissed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

const RESULTS = 'http://www.opengis.net/def/rel/ogc/1.0/results';

export function statusOf({ state }: Pick<ExecutionRow, 'state'>, run: Run | undefined): JobStatus {
  switch (state) {
    case 'READY':
      return 'accepted';
    case 'PENDING':
      return run === undefined ? 'accepted' : 'running';
    case 'RUNNING':
    case 'COMPLETE':
    case 'WAITING':
      return 'running';
    case 'PROCESSED':
      return 'successful';
    case 'INVALID':
    case 'INCOMPLETE':
      return 'failed';
    default:
      return assertNever(state);
  }
}

/** `root`: `https://maps.example.org/ogc`. `otherwise`: what is told instead of how far it is. */
export function jobDocument(
  row: ExecutionRow,
  run: Run | undefined,
  root: string,
  otherwise?: JobStatus,
): Record<string, unknown> {
  const status = otherwise ?? statusOf(row, run);
  const href = `${root}/jobs/${row.execution_id}`;
  const { session } = row;
  return {
    jobID: row.execution_id,
    processID: session.process?.id ?? '',
    type: 'process',
    status,
    ...(status === 'failed' ? { message: session.error_msg ?? 'It failed.' } : {}),
    title: session.layer_title ?? row.name,
    created: row.created,
    ...(row.finished === null ? {} : { finished: row.finished }),
    progress: Math.round(row.progress),
    upload: row.id,
    links: [
      { href, rel: 'self', type: JSON_TYPE, title: 'How far it is' },
      ...(status === 'successful'
        ? [{ href: `${href}/results`, rel: RESULTS, type: JSON_TYPE, title: 'What came of it' }]
        : []),
    ] satisfies readonly Link[],
  };
}
