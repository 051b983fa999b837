// `/api/v2/layers/{id}/presentation`: how a layer's features are shown to people: names, formats and order of its columns, its pop-up, and
// the filter that maps with it begin with. What is written
// is checked by the module that the pages read it with; who may write it, the database decides.

import type { FastifyInstance } from 'fastify';
import { parseCqlJsonText } from '../../../geo/cql/cql-json.ts';
import { DATE_LENGTHS, FORMAT_KINDS, MAX_DECIMALS } from '../../../geo/presentation/column-format.ts';
import {
  CHART_KINDS,
  columnLooksData,
  MAX_CHARTS,
  MAX_LABEL,
  MAX_TEMPLATE,
  MAX_TITLE,
  parseColumnLooks,
  parsePopup,
  popupData,
} from '../../../geo/presentation/presentation.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { sql } from '../../../sql/index.ts';
import { described, tagOf } from '../../description/described-route.ts';
import { arrayOf, body, FLAG, orNull, record, type Schema, TEXT } from '../../description/schema.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import { type BoundValue, bound, type Sql } from '../../fields/bound-value.ts';
import { type Answer, type ApiContext, asAccountRoute, asRoute, type Exchange } from '../../operations/exchange.ts';
import { cellOf } from '../../operations/read.ts';
import { bodyOf, pathId } from '../../operations/register-collection.ts';
import { expectedObject, isMembers, kindOf } from '../../operations/write/body-forms.ts';

const BODY_LIMIT = 1024 * 1024;

export function registerPresentationPaths(app: FastifyInstance, context: ApiContext, paths: readonly string[]): void {
  for (const path of paths) {
    const presentation = `${path}/:id/presentation`;
    const tag = tagOf(path);
    app.get(
      presentation,
      described({
        id: `${tag}_presentation`,
        tag,
        summary: {
          en: 'How its columns and its pop-up are shown, and its filter',
          de: 'Wie seine Spalten und sein Pop-up gezeigt werden, und sein Filter',
        },
        answers: { 200: PRESENTATION },
        refusals: [400, 404],
      }),
      asRoute(context, async (exchange) => {
        const id = pathId(exchange);
        if (id === undefined) return err({ kind: 'not-found' });
        const read = await context.db.read(exchange.caller, exchange.info, [
          exchange.statement(sql<BoundValue>`select portal.layer_presentation(${number(id)})`),
        ]);
        if (!read.ok) return err({ kind: 'database', error: read.error });
        const found = cellOf(read.value[0]);
        return found === undefined || found === null ? err({ kind: 'not-found' }) : ok({ status: 200, body: found });
      }),
    );
    app.put(
      presentation,
      {
        bodyLimit: BODY_LIMIT,
        ...described({
          id: `${tag}_set_presentation`,
          tag,
          summary: {
            en: 'Set how its columns and its pop-up are shown, and its filter; a part that is not sent stays',
            de: 'Festlegen, wie seine Spalten und sein Pop-up gezeigt werden, und seinen Filter; was nicht gesendet wird, bleibt',
          },
          body: body({ columns: arrayOf(COLUMN), popup: POPUP, filter: FILTER }, []),
          examples: {
            columns: {
              columns: [
                { column: 'name', label: 'Name' },
                { column: 'rent', label: 'Rent per month', format: { kind: 'currency', currency: 'EUR', decimals: 0 } },
                { column: 'objectid', visible: false },
              ],
            },
            filter: { filter: { op: 'like', args: [{ property: 'name' }, 'Mill%'] } },
            popup: {
              popup: {
                kind: 'list',
                title: '{{name}}',
                columns: ['rent'],
                charts: [{ kind: 'bar', title: 'Rooms', columns: ['rooms_2011', 'rooms_2021'] }],
              },
            },
          },
          answers: { 200: PRESENTATION },
          refusals: [400, 401, 403, 404],
        }),
      },
      asAccountRoute(context, (exchange) => setPresentation(context, exchange)),
    );
  }
}

async function setPresentation({ db }: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const id = pathId(exchange);
  if (id === undefined) return err({ kind: 'not-found' });
  const sent = await bodyOf(exchange);
  if (!sent.ok) return sent;
  if (!isMembers(sent.value))
    return err({ kind: 'invalid-fields', fields: { non_field_errors: [expectedObject(kindOf(sent.value))] } });
  const { columns, popup, filter } = sent.value;
  const unknown = unknownMembers(sent.value);
  if (unknown !== undefined) return err({ kind: 'invalid-fields', fields: unknown });
  const looks = columns === undefined ? undefined : parseColumnLooks(columns);
  if (looks?.ok === false) return err({ kind: 'invalid-fields', fields: { columns: [looks.error] } });
  const shown = popup === undefined ? undefined : parsePopup(popup);
  if (shown?.ok === false) return err({ kind: 'invalid-fields', fields: { popup: [shown.error] } });
  const cql = filter === undefined || filter === null ? undefined : parseCqlJsonText(JSON.stringify(filter));
  if (cql?.ok === false) return err({ kind: 'invalid-fields', fields: { filter: [`${cql.error.said}.`] } });
  const json = (value: unknown): Sql =>
    sql<BoundValue>`${bound(value === undefined ? null : JSON.stringify(value))}::jsonb`;
  const executed = await db.write(exchange.caller, exchange.info, [
    exchange.statement(
      sql<BoundValue>`select portal.set_layer_presentation(${number(id)}, ${json(looks && columnLooksData(looks.value))}, ${json(shown && popupData(shown.value))}, ${json(filter)})`,
    ),
  ]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  return ok({ status: 200, body: cellOf(executed.value[0]) ?? '{}' });
}

/** What is misspelt would be passed over in silence. */
function unknownMembers(
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, readonly string[]>> | undefined {
  const within = (value: unknown, known: readonly string[]): string | undefined =>
    (Array.isArray(value) ? (value as readonly unknown[]) : [value])
      .filter(isMembers)
      .flatMap((one) => Object.keys(one))
      .find((name) => !known.includes(name));
  const { columns, popup } = sent;
  const charts = isMembers(popup) ? popup['charts'] : undefined;
  const found = [
    ['non_field_errors', within(sent, ['columns', 'popup', 'filter'])],
    ['columns', within(columns, ['column', 'label', 'visible', 'format'])],
    ['popup', within(popup, ['kind', 'title', 'columns', 'template', 'charts'])],
    ['popup', within(charts, ['kind', 'title', 'columns'])],
  ] as const;
  const [field, name] = found.find(([, stranger]) => stranger !== undefined) ?? [];
  return field === undefined ? undefined : { [field]: [`“${(name ?? '').slice(0, 100)}” is not known here.`] };
}

const number = (id: number): Sql => sql<BoundValue>`${bound(String(id))}::integer`;

const DECIMALS: Schema = { type: 'integer', minimum: 0, maximum: MAX_DECIMALS };
const FORMAT: Schema = {
  ...orNull(
    body(
      {
        kind: { type: 'string', enum: [...FORMAT_KINDS] },
        decimals: DECIMALS,
        thousands: { ...FLAG, description: 'Of a number: thousands are told apart.' },
        currency: { type: 'string', pattern: '^[A-Z]{3}$', description: 'Of a currency, which has to have it.' },
        of: {
          type: 'integer',
          enum: [1, 100],
          description: 'Of a percentage: what makes a hundred per cent in the data.',
        },
        length: { type: 'string', enum: [...DATE_LENGTHS], description: 'Of a date.' },
        time: { ...FLAG, description: 'Of a date: with the time of day.' },
        text: { ...TEXT, description: 'Of a link: shown instead of the address.' },
      },
      ['kind'],
    ),
  ),
  description: 'How values are shown; null: as they are.',
};

const COLUMN: Schema = body(
  {
    column: { ...TEXT, description: 'In the table.' },
    label: { type: 'string', maxLength: MAX_LABEL, description: 'What people call it; empty: its name.' },
    visible: FLAG,
    format: FORMAT,
  },
  ['column'],
);

const NAMES: Schema = arrayOf(TEXT);

const POPUP: Schema = body(
  {
    kind: { type: 'string', enum: ['list', 'template'] },
    title: { type: 'string', maxLength: MAX_TITLE, description: 'With `{{column}}`; empty: the title of the layer.' },
    columns: { ...orNull(NAMES), description: 'Of the list, in order; null: all that are visible.' },
    template: {
      type: 'string',
      maxLength: MAX_TEMPLATE,
      description: 'HTML with `{{column}}`; harmless tags alone are shown.',
    },
    charts: {
      ...arrayOf(
        body({ kind: { type: 'string', enum: [...CHART_KINDS] }, title: TEXT, columns: NAMES }, ['kind', 'columns']),
      ),
      maxItems: MAX_CHARTS,
    },
  },
  [],
);

const FILTER: Schema = {
  ...orNull({ type: 'object' }),
  description: 'CQL2 as JSON, which maps with the layer begin with; null: none. Readers can clear it.',
};

const PRESENTATION: Schema = record({ columns: arrayOf(COLUMN), popup: POPUP, filter: FILTER });
