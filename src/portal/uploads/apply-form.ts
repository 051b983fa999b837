// The form of /upload/final → what it says of the upload is applied while that is possible; afterwards it is refused where it is not
// what was done. Nothing of it is dropped in silence: names that mean nothing are returned.

import { isDeepStrictEqual } from 'node:util';
import type { Jobs } from '../../jobs/jobs.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { objects, textRows } from '../../pg/rows.ts';
import type { FieldMessages, PortalError } from '../errors/portal-error.ts';
import { cleanFileName } from '../files/clean-file-name.ts';
import { isMultipart, readForm } from '../files/multipart.ts';
import { isStrict } from '../operations/preference.ts';
import type { PortalContext } from '../portal-context.ts';
import { missingAnswers, textsOf } from './answer-question.ts';
import { crsFault } from './crs-fault.ts';
import { permissionFault } from './receive-upload.ts';
import { AS_LOGIN, asCaller } from './service-scope.ts';
import { first, statement } from './service-transaction.ts';
import type { UploadAsk } from './upload-ask.ts';
import { crsGiven, parseUploadWishes, unknownNames, type Wishes } from './upload-order.ts';
import { UPLOAD_COLUMNS, type UploadRow, type UploadSession } from './upload-row.ts';
import { answerUpload } from './upload-store.ts';

/** Far more than belong to a layer. */
const MAX_FILES = 100;

/** The names that were ignored. */
export async function applyForm(
  { db }: PortalContext,
  jobs: Jobs,
  { request, caller, info }: UploadAsk,
  upload: UploadRow,
): Promise<Result<readonly string[], PortalError>> {
  const files = new Map<string, string>();
  const form = isMultipart(request)
    ? await readForm(request, {
        maxFileBytes: 1,
        maxFiles: MAX_FILES,
        onFile: async ({ field, name }) => void files.set(cleanFileName(name, 'file'), field),
      })
    : ok(textsOf(request.body));
  if (!form.ok) return form;
  const fields = form.value;
  const stranger = await strangeFile(db, { caller, info }, upload, [...files.keys()]);
  if (!stranger.ok) return err({ kind: 'database', error: stranger.error });
  if (stranger.value !== undefined) return err({ kind: 'bad-request', detail: noFiles(stranger.value) });
  const unknown = unknownNames(fields);
  if (unknown.length > 0 && isStrict({ request }))
    return refused(Object.fromEntries(unknown.map((name) => [name, ['Unknown field.']])));
  const wishes = parseUploadWishes(fields);
  if (!wishes.ok) return refused(Object.fromEntries(wishes.error.map(({ field, message }) => [field, [message]])));
  const { answers, permissions } = wishes.value;

  const crs = await crsFault(db, caller, info, answers.crs);
  if (!crs.ok) return err({ kind: 'database', error: crs.error });
  if (crs.value !== undefined) return refused({ crs: [crs.value] });
  const strange = await permissionFault(db, caller, info, permissions);
  if (!strange.ok) return err({ kind: 'database', error: strange.error });
  if (strange.value !== undefined) return refused({ permissions: [strange.value] });

  const isAnswer = upload.state === 'WAITING' && Object.keys(answers).some((name) => name !== 'charset');
  const missing = isAnswer ? missingAnswers(upload, answers, crsGiven(fields)) : undefined;
  if (missing !== undefined) return refused(missing);
  const applied = await db.transaction<FieldMessages | undefined, DbError>(caller, info, async (own) => {
    const found = await own.execute([
      {
        ...statement(`select ${UPLOAD_COLUMNS} from portal.upload where id = $1 for update`, String(upload.id)),
        describe: true,
      },
      AS_LOGIN,
      statement(`select from staging.run where upload_id = $1 and beat <> 'infinity'`, String(upload.id)),
      asCaller(caller),
    ]);
    if (!found.ok) return found;
    const [current = upload] = objects<UploadRow>(first(found.value));
    const change = changeFor(wishes.value, current, (found.value[2]?.rows.length ?? 0) > 0);
    if (!change.ok) return ok(change.error);
    if (change.value === undefined) return ok(undefined);
    const changed = await own.execute([
      statement(
        'update portal.upload set session = session || $2::jsonb where id = $1',
        String(upload.id),
        JSON.stringify(change.value),
      ),
    ]);
    return changed.ok ? ok(undefined) : changed;
  });
  if (!applied.ok) return err({ kind: 'database', error: applied.error });
  if (applied.value !== undefined) return refused(applied.value);
  if (isAnswer) {
    const answered = await answerUpload(db, jobs, caller, info, upload.id, answers);
    if (!answered.ok) return err({ kind: 'database', error: answered.error });
  }
  return ok([...new Set([...unknown, ...files.values()])]);
}

/**
 * Clients send the whole form of the upload once more, its files among it: those are here already. Any other comes too late, or,
 * where there are none yet, to the wrong address. Undefined: there is none.
 */
async function strangeFile(
  db: PortalContext['db'],
  { caller, info }: Pick<UploadAsk, 'caller' | 'info'>,
  { id, state }: UploadRow,
  names: readonly string[],
): Promise<Result<string | undefined, DbError>> {
  if (names.length === 0) return ok(undefined);
  const found = await db.read(caller, info, [
    statement('select lower(name) from portal.upload_file where upload_id = $1', String(id)),
  ]);
  if (!found.ok) return found;
  const own = new Set(textRows(first(found.value)).map(([name]) => name));
  // Files of an import that failed are gone.
  if (own.size === 0 && state !== 'READY') return ok(undefined);
  return ok(names.find((name) => !own.has(name.toLowerCase())));
}

function noFiles(name: string): string {
  return `No files are taken here but those that the upload has: ${name} is none of them.`;
}

function refused(fields: FieldMessages): Result<never, PortalError> {
  return err({ kind: 'invalid-fields', fields });
}

/**
 * What of the session becomes different; undefined: nothing. How the file is read can be said until a worker reads it, the rest until
 * the layer is made.
 */
function changeFor(
  wishes: Wishes,
  { state, session }: Pick<UploadRow, 'state' | 'session'>,
  isBegun: boolean,
): Result<UploadSession | undefined, FieldMessages> {
  const late = lateness(state);
  const refusals: Record<string, readonly string[]> = {};
  const change: { -readonly [K in keyof UploadSession]: UploadSession[K] } = {};
  const wish = <K extends 'layer_title' | 'layer_abstract' | 'time' | 'permissions'>(
    name: K,
    sent: string,
    value: UploadSession[K],
  ): void => {
    if (value === undefined || isDeepStrictEqual(value, session[name])) return;
    if (late === undefined) change[name] = value;
    else refusals[sent] = [late];
  };
  wish('layer_title', 'layer_title', wishes.title);
  wish('layer_abstract', 'abstract', wishes.abstract);
  wish('time', 'time', wishes.isTimed);
  wish('permissions', 'permissions', wishes.permissions);

  const known = session.answers ?? {};
  for (const [name, value] of Object.entries(wishes.answers) as [keyof Wishes['answers'], string][]) {
    const said = name === 'charset' ? [known.charset, session.charset] : [known[name]];
    if (said.some((one) => typeof one === 'string' && one.toLowerCase() === value.toLowerCase())) continue;
    if (late === undefined && !isBegun) change.answers = { ...known, ...change.answers, [name]: value };
    else
      refusals[name] = [
        late ?? 'The import has begun: the file is read as was said before. Delete the upload, and send it again.',
      ];
  }
  if (change.answers?.charset !== undefined) change.charset = change.answers.charset;
  if (Object.keys(refusals).length > 0) return err(refusals);
  return ok(Object.keys(change).length === 0 ? undefined : change);
}

/** Why nothing can be said any more; undefined: it can. */
function lateness(state: UploadRow['state']): string | undefined {
  switch (state) {
    case 'PENDING':
    case 'WAITING':
      return undefined;
    case 'READY':
      return 'The upload has no files yet: say so in the form that brings them.';
    default:
      return 'The import has ended with something else: change the layer, or send the files again.';
  }
}
