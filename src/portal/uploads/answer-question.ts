// The answer to the question of an import: checked while its sender can still mend it, then the import goes on.

import type { Jobs } from '../../jobs/jobs.ts';
import { err, ok } from '../../kernel/result.ts';
import type { PortalContext } from '../portal-context.ts';
import { crsFault } from './crs-fault.ts';
import type { Handled, UploadAsk } from './upload-ask.ts';
import { crsGiven, parseAnswers } from './upload-order.ts';
import { acceptedReply } from './upload-replies.ts';
import type { UploadRow } from './upload-row.ts';
import { answerUpload } from './upload-store.ts';

export async function answerQuestion(
  { db }: PortalContext,
  jobs: Jobs,
  { request, caller, info }: UploadAsk,
  upload: UploadRow,
): Promise<Handled> {
  const fields = textsOf(request.body);
  const answers = parseAnswers(fields);
  const missing = missingAnswers(upload, answers, crsGiven(fields));
  if (missing !== undefined) return err({ kind: 'invalid-fields', fields: missing });
  const fault = await crsFault(db, caller, info, answers.crs);
  if (!fault.ok) return err({ kind: 'database', error: fault.error });
  if (fault.value !== undefined) return err({ kind: 'invalid-fields', fields: { crs: [fault.value] } });
  const answered = await answerUpload(db, jobs, caller, info, upload.id, answers);
  if (!answered.ok) return err({ kind: 'database', error: answered.error });
  if (!answered.value) return err({ kind: 'bad-request', detail: 'The import does not wait for an answer.' });
  return ok({ status: 200, body: acceptedReply(upload) });
}

/** What the open question asks for and the answer does not say. */
export function missingAnswers(
  { session }: UploadRow,
  answers: ReturnType<typeof parseAnswers>,
  crs: string | undefined,
): Readonly<Record<string, readonly string[]>> | undefined {
  const required = ['This field is required.'];
  const { question } = session;
  if (answers.crs === undefined && (question?.kind === 'crs' || crs !== undefined))
    return { crs: ['A code like EPSG:4326 is required.'] };
  if (question?.kind === 'columns' && answers.places === 'none') return undefined;
  if (question?.kind === 'columns' && answers.wkt === undefined) {
    if (answers.x === undefined) return { x: required };
    if (answers.y === undefined) return { y: required };
    const stranger = [answers.x, answers.y].find((column) => !question.columns.includes(column));
    if (stranger !== undefined) return { [stranger === answers.x ? 'x' : 'y']: [`There is no column "${stranger}".`] };
  }
  if (question?.kind === 'columns' && answers.wkt !== undefined && !question.columns.includes(answers.wkt))
    return { wkt: [`There is no column "${answers.wkt}".`] };
  if (question?.kind === 'missing-columns') {
    if (answers.missing !== 'keep' && answers.missing !== 'empty') return { missing: ['Must be "keep" or "empty".'] };
    if (answers.missing === 'keep' && answers.key === undefined) return { key: required };
  }
  return undefined;
}

/** Texts and numbers as they are; what is neither names nothing. */
export function textsOf(body: unknown): Readonly<Record<string, string>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {};
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]: [string, unknown]) =>
      value === null ? [] : [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]],
    ),
  );
}
