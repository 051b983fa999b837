// `/api/v2/metadata/…`: the metadata of items as the form of newer clients of GeoNode: its JSON Schema, the values of an item, and completions. Written
// as any change of an item is, by who may change it.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { textRows } from '../../../pg/rows.ts';
import { raw, sql } from '../../../sql/index.ts';
import { described } from '../../description/described-route.ts';
import type { Text } from '../../description/language.ts';
import { ANSWER_TEXTS, jsonContent } from '../../description/operation.ts';
import { arrayOf, record, reference, type Schema, TEXT } from '../../description/schema.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import type { BoundValue } from '../../fields/bound-value.ts';
import type { Collection } from '../../operations/collection.ts';
import {
  type Answer,
  type ApiContext,
  asAccountRoute,
  asRoute,
  type Exchange,
  type Handle,
  json,
} from '../../operations/exchange.ts';
import { readRecords } from '../../operations/read.ts';
import { BODY_LIMIT, bodyOf, pathId } from '../../operations/register-collection.ts';
import { updateItem } from '../../operations/update.ts';
import { expectedObject, isMembers, kindOf, type Members } from '../../operations/write/body-forms.ts';
import { parseCatalogueQuery } from '../../query/catalogue-query.ts';
import { parseQueryParams } from '../../query/query-params.ts';
import {
  type Entry,
  FORM_LISTS,
  type FormList,
  type FormLists,
  fieldsOf,
  formOf,
  formSchema,
} from './metadata-form.ts';

const PATH = '/api/v2/metadata';

export type Completed = {
  readonly categories: Collection;
  readonly keywords: Collection;
  readonly regions: Collection;
};

/** What is looked for, and what the form has of it. */
const COMPLETIONS = [
  { list: 'categories', id: 'identifier', label: 'identifier' },
  { list: 'keywords', id: 'name', label: 'name' },
  { list: 'regions', id: 'code', label: 'name' },
] as const;
const MAX_COMPLETIONS = 20;

export function registerMetadataForm(
  app: FastifyInstance,
  context: ApiContext,
  resources: Collection,
  completed: Completed,
): void {
  app.get(
    `${PATH}/schema`,
    described({
      id: 'metadata_schema',
      tag: 'resources',
      summary: SUMMARY,
      answers: { 200: { type: 'object', additionalProperties: true } },
    }),
    asRoute(context, (exchange) => readSchema(context, exchange)),
  );
  app.get(
    `${PATH}/instance/:id`,
    described({ id: 'metadata_instance', tag: 'resources', summary: SUMMARY, answers: { 200: FORM }, refusals: [404] }),
    asRoute(context, (exchange) => readForm(context, exchange, resources)),
  );
  app.put(
    `${PATH}/instance/:id`,
    {
      bodyLimit: BODY_LIMIT,
      ...described({
        id: 'metadata_instance_write',
        tag: 'resources',
        summary: SUMMARY,
        body: FORM,
        examples: { title: { title: 'Another title' } },
        answers: { 200: SAVED },
        refusals: [401, 403, 404],
        says: { 400: ANSWER_TEXTS.wrong },
        contents: { 400: jsonContent({ anyOf: [SAVED, reference('Mistakes')] }) },
      }),
    },
    asAccountRoute(context, (exchange) => writeForm(context, exchange, resources)),
  );
  for (const completion of COMPLETIONS) {
    const handle = complete(context, completed[completion.list], completion);
    app.get(
      `${PATH}/autocomplete/${completion.list}`,
      described({
        id: `metadata_${completion.list}`,
        tag: 'resources',
        summary: SUMMARY,
        parameters: [{ name: 'q', in: 'query', schema: { type: 'string', example: 'ri' } }],
        answers: { 200: record({ results: arrayOf(record({ id: TEXT, label: TEXT })) }) },
        refusals: [400],
      }),
      asRoute(context, handle),
    );
  }
}

async function readSchema({ db }: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const names = Object.keys(FORM_LISTS) as FormList[];
  const executed = await db.read(
    exchange.caller,
    exchange.info,
    names.map((name) => {
      const { table, label } = FORM_LISTS[name];
      return exchange.statement(sql<BoundValue>`select identifier, ${raw(label)} from ${raw(table)} order by 2`);
    }),
  );
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  const entriesOf = (name: FormList): readonly Entry[] => {
    const result = executed.value[names.indexOf(name)];
    return result === undefined ? [] : textRows(result).map(([id, label]) => ({ id: id ?? '', label: label ?? '' }));
  };
  const lists: FormLists = {
    category: entriesOf('category'),
    license: entriesOf('license'),
    restriction_code_type: entriesOf('restriction_code_type'),
    spatial_representation_type: entriesOf('spatial_representation_type'),
  };
  return ok(json(200, formSchema(lists)));
}

async function readForm(
  context: ApiContext,
  exchange: Exchange,
  resources: Collection,
): Promise<Result<Answer, PortalError>> {
  const id = pathId(exchange);
  if (id === undefined) return err({ kind: 'not-found' });
  const query = parseCatalogueQuery(`filter{pk}=${id}`, resources.rules);
  if (!query.ok) return query;
  const found = await readRecords(context, exchange, resources, query.value);
  if (!found.ok) return found;
  const [record] = JSON.parse(Buffer.from(found.value.records).toString()) as readonly Members[];
  return record === undefined ? err({ kind: 'not-found' }) : ok(json(200, { ...formOf(record), extraErrors: {} }));
}

async function writeForm(
  context: ApiContext,
  exchange: Exchange,
  resources: Collection,
): Promise<Result<Answer, PortalError>> {
  const body = await bodyOf(exchange);
  if (!body.ok) return body;
  if (!isMembers(body.value)) return err({ kind: 'bad-request', detail: expectedObject(kindOf(body.value)) });
  const updated = await updateItem(context, exchange, resources, pathId(exchange), fieldsOf(body.value), 'change');
  if (updated.ok) return ok(json(200, { message: 'The metadata were saved.', extraErrors: {} }));
  if (updated.error.kind !== 'invalid-fields') return updated;
  // Beside the field that each is about, as the client shows them.
  const extraErrors = Object.fromEntries(
    Object.entries(updated.error.fields).map(([name, messages]) => [name, { __errors: messages }]),
  );
  return ok(json(400, { message: 'The metadata were not saved.', extraErrors }));
}

function complete(context: ApiContext, collection: Collection, { id, label }: (typeof COMPLETIONS)[number]): Handle {
  return async (exchange) => {
    const q = parseQueryParams(exchange.query).first('q') ?? '';
    const wanted = new URLSearchParams({
      ...(q === '' ? {} : { [`filter{${label}.icontains}`]: q }),
      'sort[]': label,
      page_size: String(MAX_COMPLETIONS),
    });
    const query = parseCatalogueQuery(String(wanted), collection.rules);
    if (!query.ok) return query;
    const found = await readRecords(context, exchange, collection, query.value);
    if (!found.ok) return found;
    const records = JSON.parse(Buffer.from(found.value.records).toString()) as readonly Members[];
    return ok(json(200, { results: records.map((record) => ({ id: record[id], label: record[label] })) }));
  };
}

const SUMMARY: Text = {
  en: 'Metadata as a form: its JSON Schema, the values of an item, and what can be entered',
  de: 'Metadaten als Formular: sein JSON-Schema, die Werte eines Objekts und was eingegeben werden kann',
};

const FORM: Schema = {
  type: 'object',
  description: 'Values by the properties of the schema.',
  properties: { title: TEXT },
  additionalProperties: true,
};

const SAVED: Schema = record({
  message: TEXT,
  extraErrors: {
    type: 'object',
    additionalProperties: { type: 'object', properties: { __errors: arrayOf(TEXT) } },
  },
});
