// POST on a collection: one record or many, all of them or none. `Prefer: tx=rollback` writes them as well, answers what was written, and takes it back.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Session, Statement } from '../../pg/driver.ts';
import { raw, sql } from '../../sql/index.ts';
import type { FieldMessages, PortalError } from '../errors/portal-error.ts';
import { arrayText, type BoundValue, bound } from '../fields/bound-value.ts';
import { type CatalogueQuery, parseCatalogueQuery } from '../query/catalogue-query.ts';
import { recordsSql } from '../query/catalogue-sql.ts';
import type { Collection, TypedElement, Writer } from './collection.ts';
import type { Answer, ApiContext, Exchange } from './exchange.ts';
import { isDryRun, isStrict, ROLLED_BACK } from './preference.ts';
import { cellOf, envelope } from './read.ts';
import { bodyForm, expectedObject, isMembers, kindOf, type Members } from './write/body-forms.ts';
import { type Draft, givenText } from './write/draft.ts';
import { ignoredIn } from './write/ignored.ts';
import { parseElement } from './write/parse-element.ts';
import { type Resolved, referenceFailure, resolveReferences } from './write/resolve-references.ts';
import { tryAgain } from './write/try-again.ts';
import { elementMessages, writeFailure } from './write/write-failure.ts';
import { assignments, insertSql, setterSql } from './write/write-sql.ts';

export const MAX_ELEMENTS = 1000;

/** One element on its way to a row. `source` is what the client sent, for messages about it. */
export type NewElement = TypedElement & { readonly draft: Draft; readonly source: Members };

type Failed = { readonly index: number; readonly failure: PortalError };

export async function createRecords(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  body: unknown,
): Promise<Result<Answer, PortalError>> {
  const { writer } = collection;
  if (writer === undefined) return err({ kind: 'method-not-allowed', method: exchange.request.method });
  const query = parseCatalogueQuery(exchange.query, collection.rules);
  if (!query.ok) return query;
  const form = bodyForm(body, collection);
  switch (form.kind) {
    case 'neither':
      return err(wholeBody(expectedObject(form.got)));
    case 'one': {
      const element = await newElement(form.element, collection, exchange);
      if (!element.ok) return element;
      const isTried = isDryRun(exchange);
      const made = await insertAll(context, exchange, collection, [element.value], query.value, isTried);
      if (!made.ok) return err(made.error.failure);
      const answer = createdOne(made.value, element.value, collection, exchange);
      return ok(isTried ? { ...answer, headers: ROLLED_BACK } : answer);
    }
    case 'many': {
      if (form.elements.length === 0) return err(wholeBody(expectedObject('list')));
      if (form.elements.length > MAX_ELEMENTS)
        return err(wholeBody(`At most ${MAX_ELEMENTS} records can be sent at once.`));
      const elements = await newElements(form.elements, collection, exchange);
      if (!elements.ok) return elements;
      const isTried = isDryRun(exchange);
      const made = await insertAll(context, exchange, collection, elements.value, query.value, isTried);
      if (!made.ok) return err(inBulk(made.error, elements.value, collection));
      const body = envelope(collection, 'list', made.value.records, ignoredIn(elements.value));
      return ok({ status: 201, body, ...(isTried ? { headers: ROLLED_BACK } : {}) });
    }
  }
}

/** A new row for one element, where a route of its own has read it. */
export async function createOne(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
  element: NewElement,
  query: CatalogueQuery,
): Promise<Result<Answer, PortalError>> {
  const made = await insertAll(context, exchange, collection, [element], query, false);
  return made.ok ? ok(createdOne(made.value, element, collection, exchange)) : err(made.error.failure);
}

/** A body's element as a draft, with the fields that an element of its kind has. `more` adds what came beside the body. */
export async function newElement(
  source: unknown,
  collection: Collection,
  exchange: Exchange,
  more: (draft: Draft) => Draft = (draft) => draft,
): Promise<Result<NewElement, PortalError>> {
  const { writer } = collection;
  if (!isMembers(source) || writer === undefined) return err(wholeBody(expectedObject(kindOf(source))));
  const complaint = writer.complain?.(source);
  if (complaint !== undefined) return err(complaint);
  const found = recordTypeFor(source, collection, writer);
  if (!found.ok) return found;
  const element = writer.complete?.(source, 'create') ?? source;
  const parsed = parseElement(found.value.recordType, element, 'create', isStrict(exchange));
  if (!parsed.ok) return err({ kind: 'invalid-fields', fields: parsed.error });
  const prepared = writer.prepare === undefined ? parsed : await writer.prepare(parsed.value, 'create', exchange);
  if (!prepared.ok) return prepared;
  const draft = more(prepared.value);
  const lack = writer.lacks?.(draft, found.value.recordType);
  return lack === undefined ? ok({ ...found.value, draft, source }) : err(lack);
}

function recordTypeFor(
  source: Readonly<Record<string, unknown>>,
  { recordType }: Collection,
  { recordTypeFor, fixed }: Writer,
): Result<TypedElement, PortalError> {
  return recordTypeFor === undefined ? ok({ recordType, fixed }) : recordTypeFor(source);
}

async function newElements(
  sources: readonly unknown[],
  collection: Collection,
  exchange: Exchange,
): Promise<Result<readonly NewElement[], PortalError>> {
  const elements: NewElement[] = [];
  const wrong: { detail: FieldMessages; source: unknown }[] = [];
  for (const source of sources) {
    const element = await newElement(source, collection, exchange);
    if (element.ok) {
      elements.push(element.value);
      continue;
    }
    const detail = elementMessages(element.error);
    if (detail === undefined) return element;
    wrong.push({ detail, source });
  }
  return wrong.length === 0
    ? ok(elements)
    : err({ kind: 'invalid-elements', member: collection.list, elements: wrong });
}

type Made = { readonly ids: readonly number[]; readonly records: Buffer };

/** What a dry run would have made: an error to the transaction, so that it is rolled back. */
type Tried = { readonly wouldMake: Made };

async function insertAll(
  { db }: ApiContext,
  exchange: Exchange,
  collection: Collection,
  elements: readonly NewElement[],
  query: CatalogueQuery,
  isTried: boolean,
): Promise<Result<Made, Failed>> {
  return tryAgain(
    async () => {
      const done = await db.transaction<Made, Failed | Tried>(exchange.caller, exchange.info, async (session) => {
        const made = await insertIn(session, exchange, collection, elements, query);
        return made.ok && isTried ? err({ wouldMake: made.value }) : made;
      });
      if (done.ok) return done;
      if ('wouldMake' in done.error) return ok(done.error.wouldMake);
      return err('failure' in done.error ? done.error : { index: 0, failure: { kind: 'database', error: done.error } });
    },
    ({ failure }) => failure,
  );
}

async function insertIn(
  session: Session,
  exchange: Exchange,
  collection: Collection,
  elements: readonly NewElement[],
  query: CatalogueQuery,
): Promise<Result<Made, Failed>> {
  const drafts = elements.map(({ draft }) => draft);
  const found = await resolveReferences(drafts, session, exchange.statement);
  if (!found.ok) return err({ index: 0, failure: found.error });
  const resolved = found.value;
  for (const [index, draft] of drafts.entries()) {
    const failure = referenceFailure(draft, resolved);
    if (failure !== undefined) return err({ index, failure });
  }
  const inserts = elements.map((element) => insertOf(element, collection, resolved));
  const inserted = await session.execute(inserts.map(({ statement }) => exchange.statement(statement)));
  if (!inserted.ok) return err(failedAt(inserted.error, collection, sqlIndex(inserted.error)));
  const ids = inserted.value.map((result) => Number(cellOf(result)?.toString()));

  const after = (time: 'middle' | 'last'): { statement: Statement; index: number }[] =>
    ids.flatMap((id, index) =>
      setterSql(
        sql<BoundValue>`${bound(String(id))}::integer`,
        drafts[index] ?? new Map(),
        resolved,
        time,
        inserts[index]?.done,
      ).map((fragment) => ({ statement: exchange.statement(fragment), index })),
    );
  const middle = [...after('middle'), ...firstThings(ids, drafts, resolved, exchange)];
  const last = after('last');
  const order = raw('page.n');
  const wanted = sql<BoundValue>`select p.id, p.n from unnest(${bound(arrayText(ids))}::integer[]) with ordinality p(id, n)`;
  const read = exchange.statement(
    recordsSql(wanted, order, {
      recordType: collection.recordType,
      source: collection.source,
      isVisitor: false,
      query,
    }),
  );
  const executed = await session.execute([...middle.map((m) => m.statement), read, ...last.map((l) => l.statement)]);
  if (!executed.ok) {
    const at = sqlIndex(executed.error);
    const index = at < middle.length ? middle[at]?.index : last[at - middle.length - 1]?.index;
    return err(failedAt(executed.error, collection, index ?? 0));
  }
  return ok({ ids, records: asHidden(cellOf(executed.value[middle.length]) ?? Buffer.from('[]'), drafts) });
}

/** Records are read before those that are to be out of sight are: what they say of themselves is put right. */
function asHidden(records: Buffer, drafts: readonly Draft[]): Buffer {
  if (!drafts.some((draft) => givenText(draft, 'metadata_only') === 'true')) return records;
  const shown = JSON.parse(records.toString()) as readonly Members[];
  if (shown.length !== drafts.length) return records;
  const said = shown.map((record, index) =>
    'metadata_only' in record && givenText(drafts[index] ?? new Map(), 'metadata_only') === 'true'
      ? { ...record, metadata_only: true }
      : record,
  );
  return Buffer.from(JSON.stringify(said));
}

/** What comes first when a row is changed comes after it when it is new. */
function firstThings(
  ids: readonly number[],
  drafts: readonly Draft[],
  resolved: Resolved,
  exchange: Exchange,
): { statement: Statement; index: number }[] {
  return ids.flatMap((id, index) =>
    setterSql(sql<BoundValue>`${bound(String(id))}::integer`, drafts[index] ?? new Map(), resolved, 'first').map(
      (fragment) => ({
        statement: exchange.statement(fragment),
        index,
      }),
    ),
  );
}

function insertOf(
  element: NewElement,
  { writer }: Collection,
  resolved: Resolved,
): ReturnType<NonNullable<Writer['insert']>> {
  if (writer === undefined) throw new Error('a collection without a writer got a record');
  return (
    writer.insert?.(element.draft) ?? {
      statement: insertSql(writer, element.fixed, assignments(element.draft, resolved, true)),
      done: new Set(),
    }
  );
}

function sqlIndex(error: DbError): number {
  return error.kind === 'sql' ? error.statement : 0;
}

function failedAt(error: DbError, { recordType }: Collection, index: number): Failed {
  return { index, failure: writeFailure(error, recordType) };
}

/** In a bulk, a mistake of one element is told as one of the list. */
function inBulk({ index, failure }: Failed, elements: readonly NewElement[], { list }: Collection): PortalError {
  const detail = elementMessages(failure);
  if (detail === undefined) return failure;
  return { kind: 'invalid-elements', member: list, elements: [{ detail, source: elements[index]?.source }] };
}

function createdOne({ ids, records }: Made, element: NewElement, collection: Collection, { base }: Exchange): Answer {
  // An array of one: the record is what stands between the brackets.
  const record = records.subarray(1, -1);
  return {
    status: 201,
    body: envelope(collection, 'item', record.length === 0 ? Buffer.from('null') : record, ignoredIn([element])),
    headers: { Location: `${base}${collection.path}/${ids[0]}` },
  };
}

export function wholeBody(message: string): PortalError {
  return { kind: 'invalid-fields', fields: { non_field_errors: [message] } };
}
