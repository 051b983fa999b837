// PUT and PATCH: one record by its address, several by their ids, or all that pass a filter. All of them or none.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Session } from '../../pg/driver.ts';
import { raw, sql, where } from '../../sql/index.ts';
import type { FieldMessages, PortalError } from '../errors/portal-error.ts';
import { arrayText, type BoundValue, bound, type Sql } from '../fields/bound-value.ts';
import { type CatalogueQuery, parseCatalogueQuery } from '../query/catalogue-query.ts';
import { conditionsOf, itemSql, recordsSql } from '../query/catalogue-sql.ts';
import { parseQueryParams } from '../query/query-params.ts';
import { fromSql } from '../query/source.ts';
import type { Collection, Writer } from './collection.ts';
import { MAX_ELEMENTS, wholeBody } from './create.ts';
import { type Answer, type ApiContext, type Exchange, json } from './exchange.ts';
import { isStrict, prefers } from './preference.ts';
import { cellOf, envelope, planOf, readFailure, withTimeLimit } from './read.ts';
import { bodyForm, expectedObject, isMembers, kindOf, type Members } from './write/body-forms.ts';
import type { Draft } from './write/draft.ts';
import { type Ignored, ignoredIn } from './write/ignored.ts';
import { elementId, parseElement, unknownField, type WriteMode } from './write/parse-element.ts';
import { type Resolved, referenceFailure, resolveReferences } from './write/resolve-references.ts';
import { tryAgain } from './write/try-again.ts';
import { elementMessages, writeFailure } from './write/write-failure.ts';
import { assignments, setterSql, updateSql } from './write/write-sql.ts';

/** The record with this id becomes like that. */
type Change = { readonly id: number; readonly draft: Draft };

type Parts = {
  readonly context: ApiContext;
  readonly exchange: Exchange;
  readonly collection: Collection;
  readonly writer: Writer;
};

/** PUT and PATCH on an item's address; a list in the body means the records it names. */
export async function updateItem(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  id: number | undefined,
  body: unknown,
  mode: 'replace' | 'change' = exchange.request.method === 'PUT' ? 'replace' : 'change',
): Promise<Result<Answer, PortalError>> {
  const { writer } = collection;
  if (writer === undefined) return err({ kind: 'method-not-allowed', method: exchange.request.method });
  const parts = { context, exchange, collection, writer };
  const query = parseCatalogueQuery(exchange.query, collection.rules);
  if (!query.ok) return query;
  const form = bodyForm(body, collection);
  if (form.kind === 'neither') return err(wholeBody(expectedObject(form.got)));
  if (form.kind === 'many') {
    return context.enableBulkUpdate
      ? updateNamed(parts, form.elements, query.value, mode)
      : err(wholeBody(expectedObject('list')));
  }
  if (id === undefined) return err({ kind: 'not-found' });
  const draft = await readDraft(form.element, mode, parts);
  if (!draft.ok) return draft;
  const updated = await applyChanges(parts, [{ id, draft: draft.value }], query.value, 'one', { kind: 'not-found' });
  return updated.ok
    ? ok(updatedAnswer(parts, 'one', { updated: 1, ...ignoredOf(parts, [form.element]) }, updated.value))
    : updated;
}

/** PATCH on a collection: the records named in the body, or with `patch-all` every one that passes the filters. */
export async function updateCollection(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  body: unknown,
): Promise<Result<Answer, PortalError>> {
  const { writer } = collection;
  if (writer === undefined) return err({ kind: 'method-not-allowed', method: exchange.request.method });
  const parts = { context, exchange, collection, writer };
  const query = parseCatalogueQuery(exchange.query, collection.rules);
  if (!query.ok) return query;
  const patchAll = context.enablePatchAll ? parseQueryParams(exchange.query).first('patch-all') : undefined;
  if (patchAll !== undefined) return updateAll(parts, patchAll, body, query.value);
  if (!context.enableBulkUpdate) return err({ kind: 'method-not-allowed', method: exchange.request.method });
  const form = bodyForm(body, collection);
  switch (form.kind) {
    case 'neither':
      return err(wholeBody(expectedObject(form.got)));
    case 'one':
      return updateNamed(parts, [form.element], query.value, 'change');
    case 'many':
      return updateNamed(parts, form.elements, query.value, 'change');
  }
}

async function updateNamed(
  parts: Parts,
  elements: readonly unknown[],
  query: CatalogueQuery,
  mode: WriteMode,
): Promise<Result<Answer, PortalError>> {
  if (elements.length === 0) return wrong('Invalid lookup keys: no records were named.');
  if (elements.length > MAX_ELEMENTS) return wrong(`At most ${MAX_ELEMENTS} records can be sent at once.`);
  const changes: Change[] = [];
  const sources: Members[] = [];
  const mistakes: { detail: FieldMessages; source: unknown }[] = [];
  for (const source of elements) {
    if (!isMembers(source)) return err(wholeBody(expectedObject(kindOf(source))));
    sources.push(source);
    const id = elementId(source);
    if (id === undefined) return wrong('Invalid lookup keys: every record needs its id.');
    const draft = await readDraft(source, mode, parts);
    if (draft.ok) changes.push({ id, draft: draft.value });
    else {
      const detail = elementMessages(draft.error);
      if (detail === undefined) return draft;
      mistakes.push({ detail, source });
    }
  }
  if (mistakes.length > 0) {
    return err({ kind: 'invalid-elements', member: parts.collection.list, elements: mistakes });
  }
  const updated = await applyChanges(parts, changes, query, 'many');
  const meta = { updated: changes.length, ...ignoredOf(parts, sources) };
  return updated.ok ? ok(updatedAnswer(parts, 'many', meta, updated.value)) : updated;
}

async function readDraft(element: Members, mode: WriteMode, parts: Parts): Promise<Result<Draft, PortalError>> {
  const { prepare, complete } = parts.writer;
  const whole = complete?.(element, mode) ?? element;
  const parsed = parseElement(parts.collection.recordType, whole, mode, isStrict(parts.exchange));
  if (!parsed.ok) return err({ kind: 'invalid-fields', fields: parsed.error });
  return prepare === undefined ? parsed : prepare(parsed.value, mode, parts.exchange);
}

function ignoredOf({ collection: { recordType } }: Parts, sources: readonly Members[]): Ignored {
  return ignoredIn(sources.map((source) => ({ recordType, source })));
}

/** Whether the answer holds a record or a list of them, where it holds any. */
type Form = 'one' | 'many';

/** JSON: a record, or a list of them. */
type Shown = Buffer | undefined;

async function applyChanges(
  parts: Parts,
  changes: readonly Change[],
  query: CatalogueQuery,
  form: Form,
  missing?: PortalError,
): Promise<Result<Shown, PortalError>> {
  return inTransaction(parts, async (session) => {
    const ready = await firstSetters(parts, session, changes);
    if (!ready.ok) return ready;
    const found = await findIds(
      parts,
      session,
      query,
      changes.map(({ id }) => id),
    );
    if (!found.ok) return found;
    if (found.value.length !== changes.length) {
      return err(missing ?? lookupFailed(changes.length, found.value.length));
    }
    const held = await holdUnchanged(parts, session, found.value);
    if (!held.ok) return held;
    return changeIn(parts, session, changes, query, form);
  });
}

/** A time of the last change as the API writes it. */
const STAMP = /^"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z)"$/;

/**
 * `If-Match: "<last_updated>"`: items are changed only as long as they are as the client read them. Their rows are held, so that nobody
 * changes them between the look and the change.
 */
async function holdUnchanged(
  { exchange, writer }: Parts,
  session: Session,
  ids: readonly number[],
): Promise<Result<void, PortalError>> {
  const wanted = exchange.request.headers['if-match'];
  if (wanted === undefined || wanted === '*' || writer.table !== 'portal.resource') return ok(undefined);
  const [, stamp] = STAMP.exec(wanted) ?? [];
  if (stamp === undefined) return err({ kind: 'precondition-failed' });
  const statement = exchange.statement(
    sql<BoundValue>`select r.last_updated = ${bound(stamp)}::timestamptz from portal.resource r where r.id = any (${bound(arrayText(ids))}::integer[]) order by r.id for update`,
  );
  const executed = await session.execute([statement]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  const isAsRead = (executed.value[0]?.rows ?? []).every(([same]) => same?.toString() === 't');
  return isAsRead ? ok(undefined) : err({ kind: 'precondition-failed' });
}

function inTransaction(
  { context, exchange, collection }: Parts,
  work: (session: Session) => Promise<Result<Shown, PortalError>>,
): Promise<Result<Shown, PortalError>> {
  return tryAgain(
    async () => asFailure(await context.db.transaction(exchange.caller, exchange.info, work), collection),
    (failure) => failure,
  );
}

function lookupFailed(wanted: number, found: number): PortalError {
  return { kind: 'invalid-request', messages: [`Could not find all objects to update: ${wanted} != ${found}.`] };
}

/** Everybody locks rows in the same order, so that no two requests wait for each other. */
function inOrder(changes: readonly Change[]): readonly Change[] {
  return [...changes].sort((a, b) => a.id - b.id);
}

/** What brings an item back into sight; nothing in these refers to anything. */
async function firstSetters(
  parts: Parts,
  session: Session,
  changes: readonly Change[],
): Promise<Result<void, PortalError>> {
  const nothing: Resolved = { textOf: (_field, given) => ok(given.kind === 'value' ? given.text : null) };
  const statements = inOrder(changes).flatMap(({ id, draft }) => setterSql(idSql(id), draft, nothing, 'first'));
  if (statements.length === 0) return ok(undefined);
  const executed = await session.execute(statements.map(parts.exchange.statement));
  return executed.ok ? ok(undefined) : err(writeFailure(executed.error, parts.collection.recordType));
}

/** Which of these records (or of all, when none are named) the request may hit. */
async function findIds(
  { exchange, collection }: Parts,
  session: Session,
  query: CatalogueQuery,
  named?: readonly number[],
): Promise<Result<readonly number[], PortalError>> {
  const { source } = collection;
  const also =
    named === undefined
      ? collection.listed
      : [sql<BoundValue>`${source.key} = any (${bound(arrayText(named))}::integer[])`];
  const conditions = conditionsOf({ ...planOf(collection, query, exchange), also });
  const statement = exchange.statement(
    sql<BoundValue>`select coalesce(json_agg(x.id order by x.id), '[]') from (select ${source.key} as id from ${fromSql(source)}${where(conditions)}) x`,
  );
  const executed = await session.execute(withTimeLimit(query, [statement]));
  if (!executed.ok) return err(readFailure(executed.error, query));
  return ok(JSON.parse(cellOf(executed.value.at(-1))?.toString() ?? '[]') as number[]);
}

async function changeIn(
  parts: Parts,
  session: Session,
  changes: readonly Change[],
  query: CatalogueQuery,
  form: Form,
): Promise<Result<Shown, PortalError>> {
  const { exchange, writer } = parts;
  const compared: Change[] = [];
  for (const { id, draft } of inOrder(changes)) {
    const left = writer.compare === undefined ? ok(draft) : await writer.compare(id, draft, session);
    if (!left.ok) return left;
    compared.push({ id, draft: left.value });
  }
  const found = await resolveReferences(
    compared.map(({ draft }) => draft),
    session,
    exchange.statement,
  );
  if (!found.ok) return found;
  const resolved = found.value;
  for (const { draft } of compared) {
    const failure = referenceFailure(draft, resolved);
    if (failure !== undefined) return err(failure);
  }
  const rows = compared.flatMap(({ id, draft }) => [
    updateSql(writer, assignments(draft, resolved, false), idSql(id)),
    ...setterSql(idSql(id), draft, resolved, 'middle'),
  ]);
  const last = compared.flatMap(({ id, draft }) => setterSql(idSql(id), draft, resolved, 'last'));
  return changeAndRead(
    parts,
    session,
    rows,
    last,
    changes.map(({ id }) => id),
    query,
    form,
  );
}

async function changeAndRead(
  { exchange, collection }: Parts,
  session: Session,
  rows: readonly Sql[],
  last: readonly Sql[],
  ids: readonly number[],
  query: CatalogueQuery,
  form: Form,
): Promise<Result<Shown, PortalError>> {
  const read = wantsRecords(exchange, collection) ? [changedSql(collection, ids, query, form)] : [];
  const executed = await session.execute([...rows, ...read, ...last].map(exchange.statement));
  if (!executed.ok) return err(writeFailure(executed.error, collection.recordType));
  return ok(read.length === 0 ? undefined : cellOf(executed.value[rows.length]));
}

/** The record, or a list of them, whether filters still let them through or not. One alone has a plan that is kept. */
function changedSql(
  { recordType, source }: Collection,
  ids: readonly number[],
  query: CatalogueQuery,
  form: Form,
): Sql {
  const plan = { recordType, source, isVisitor: false, query };
  const [id] = ids;
  if (form === 'one' && id !== undefined)
    return itemSql(id, { ...plan, source: { ...source, where: [] }, query: { ...query, conditions: [] } });
  const wanted = sql<BoundValue>`select p.id, p.n from unnest(${bound(arrayText(ids))}::integer[]) with ordinality p(id, n)`;
  return recordsSql(wanted, raw('page.n'), plan);
}

/** Every record that the filters let through. `true`: one by one; `query`: in one statement. */
async function updateAll(
  parts: Parts,
  how: string,
  body: unknown,
  query: CatalogueQuery,
): Promise<Result<Answer, PortalError>> {
  if (how !== 'true' && how !== '1' && how !== 'query') {
    return err({ kind: 'bad-request', detail: `"${how}" is not valid for patch-all` });
  }
  const form = bodyForm(body, parts.collection);
  if (form.kind !== 'one') return wrong('Patch-all data must be in object form');
  const strange = unknownField(parts.collection.recordType, form.element);
  if (strange !== undefined) return wrong(strange);
  const draft = await readDraft(form.element, 'change', parts);
  if (!draft.ok) return draft;
  let count = 0;
  const updated = await inTransaction(parts, async (session) => {
    const found = await findIds(parts, session, query);
    if (!found.ok) return found;
    count = found.value.length;
    if (how !== 'query')
      return changeIn(
        parts,
        session,
        found.value.map((id) => ({ id, draft: draft.value })),
        query,
        'many',
      );
    return changeAtOnce(parts, session, found.value, draft.value, query);
  });
  return updated.ok ? ok(updatedAnswer(parts, 'many', { updated: count }, updated.value)) : updated;
}

async function changeAtOnce(
  parts: Parts,
  session: Session,
  ids: readonly number[],
  draft: Draft,
  query: CatalogueQuery,
): Promise<Result<Shown, PortalError>> {
  const { exchange, writer } = parts;
  const found = await resolveReferences([draft], session, exchange.statement);
  if (!found.ok) return found;
  const failure = referenceFailure(draft, found.value);
  if (failure !== undefined) return err(failure);
  const all = sql<BoundValue>`select unnest(${bound(arrayText(ids))}::integer[])`;
  const rows = [
    updateSql(writer, assignments(draft, found.value, false), all),
    ...ids.flatMap((id) => setterSql(idSql(id), draft, found.value, 'middle')),
  ];
  const last = ids.flatMap((id) => setterSql(idSql(id), draft, found.value, 'last'));
  return changeAndRead(parts, session, rows, last, ids, query, 'many');
}

/** How many there are, what was ignored, and the records. A record that its own change took out of the caller's sight is left out. */
function updatedAnswer(
  { collection, exchange }: Parts,
  form: Form,
  meta: { readonly updated: number } & Ignored,
  records: Shown,
): Answer {
  const isBare = collection.isBare === true;
  if (records === undefined) return isBare ? json(200, null) : json(200, { meta });
  const { updated: _, ...ignored } = meta;
  return {
    status: 200,
    body: envelope(collection, form === 'one' ? 'item' : 'list', records, isBare ? ignored : meta),
    ...(prefers(exchange.request.headers, 'return', 'representation') && !isBare ? { headers: APPLIED } : {}),
  };
}

const APPLIED = { 'Preference-Applied': 'return=representation' } as const;

/** The answer to an update holds no records unless they are asked for: by a preference, or by saying which of their fields are wanted. */
function wantsRecords({ request: { headers }, query }: Exchange, { isBare }: Collection): boolean {
  if (isBare === true || prefers(headers, 'return', 'representation')) return true;
  const params = parseQueryParams(query);
  const namesFields = params.first('include[]') !== undefined || params.first('exclude[]') !== undefined;
  return namesFields && !prefers(headers, 'return', 'minimal');
}

function idSql(id: number): Sql {
  return sql<BoundValue>`${bound(String(id))}::integer`;
}

function wrong(message: string): Result<never, PortalError> {
  return err({ kind: 'invalid-request', messages: [message] });
}

function asFailure<T>(done: Result<T, PortalError | DbError>, { recordType }: Collection): Result<T, PortalError> {
  if (done.ok) return done;
  return err(isDbError(done.error) ? writeFailure(done.error, recordType) : done.error);
}

const DB_KINDS: ReadonlySet<string> = new Set<DbError['kind']>([
  'sql',
  'unreachable',
  'lost',
  'pool-timeout',
  'pool-full',
  'cancelled',
  'closed',
]);

function isDbError(error: PortalError | DbError): error is DbError {
  return DB_KINDS.has(error.kind);
}
