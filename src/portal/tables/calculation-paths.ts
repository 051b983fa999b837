// `/api/v2/layers/{id}/calculate` and `/columns/{column}/type`: a column filled by an expression, or given another type, tried beforehand, done, and undone
// by what is kept of it.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { CompileExpression } from '../../layer-ports/expression.ts';
import { described, tagOf } from '../description/described-route.ts';
import type { Parameter } from '../description/operation.ts';
import { arrayOf, record, type Schema, TEXT } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { makeLayerAccess } from '../layers/layer-access.ts';
import { asAccountRoute, type Exchange, json } from '../operations/exchange.ts';
import { bodyOf, pathId, pathPart } from '../operations/register-collection.ts';
import { isMembers } from '../operations/write/body-forms.ts';
import type { PortalContext } from '../portal-context.ts';
import { type CalculationError, type CalculationParts, calculate, previewCalculation } from './calculate.ts';
import { type Calculation, parseCalculation, UNREADABLE } from './calculation.ts';
import { COLUMN_KIND_NAMES, type ColumnKind, isColumnKind } from './column-kinds.ts';
import { columnFailure } from './column-paths.ts';
import { retypeColumn } from './retype-column.ts';

const BODY_LIMIT = 64 * 1024;
const MAX_NAME = 255;

export function registerCalculations(
  app: FastifyInstance,
  context: PortalContext,
  compile: CompileExpression,
  paths: readonly string[],
): void {
  const parts: CalculationParts = { db: context.db, layers: makeLayerAccess(context.db), compile };
  const limits = { bodyLimit: BODY_LIMIT };
  for (const path of paths) {
    const tag = tagOf(path);
    app.post(
      `${path}/:id/calculate/preview`,
      {
        ...limits,
        ...described({
          id: `${tag}_calculate_preview`,
          tag,
          summary: {
            en: 'What a calculation would do: counts, and ten rows before and after; nothing is changed',
            de: 'Was eine Berechnung tun würde: Anzahlen und zehn Zeilen vorher und nachher; nichts wird geändert',
          },
          body: record(WANTED, ['expression']),
          examples: EXAMPLES,
          answers: { 200: PREVIEW },
          refusals: [400, 401, 403, 404],
        }),
      },
      asAccountRoute(context, async (exchange) => {
        const wanted = await wantedBy(exchange);
        if (!wanted.ok) return wanted;
        const { id, calculation } = wanted.value;
        const shown = await previewCalculation(parts, exchange.caller, exchange.info, id, calculation);
        return shown.ok ? ok(json(200, shown.value)) : err(failureOf(shown.error));
      }),
    );
    app.post(
      `${path}/:id/calculate`,
      {
        ...limits,
        ...described({
          id: `${tag}_calculate`,
          tag,
          summary: {
            en: 'Fill a column, or a new one, with an expression; what was there is kept for 30 days',
            de: 'Eine Spalte, oder eine neue, mit einem Ausdruck füllen; was da war, wird 30 Tage aufgehoben',
          },
          body: record(WANTED, ['expression']),
          examples: EXAMPLES,
          answers: { 200: CALCULATED },
          refusals: [400, 401, 403, 404],
        }),
      },
      asAccountRoute(context, async (exchange) => {
        const wanted = await wantedBy(exchange);
        if (!wanted.ok) return wanted;
        const { id, calculation } = wanted.value;
        const done = await calculate(parts, exchange.caller, exchange.info, id, calculation);
        return done.ok ? ok(json(200, done.value)) : err(failureOf(done.error));
      }),
    );
    app.post(
      `${path}/:id/columns/:column/type/preview`,
      {
        ...limits,
        ...described({
          id: `${tag}_columns_type_preview`,
          tag,
          summary: {
            en: 'How many values of a column cannot be read in another type, and some of them; nothing is changed',
            de: 'Wie viele Werte einer Spalte in einem anderen Typ nicht lesbar sind, mit Beispielen; nichts wird geändert',
          },
          parameters: [COLUMN],
          body: record({ type: KIND }),
          examples: { number: { type: 'double precision' } },
          answers: { 200: PREVIEW },
          refusals: [400, 401, 403, 404],
        }),
      },
      asAccountRoute(context, async (exchange) => {
        const wanted = await retypingBy(exchange);
        if (!wanted.ok) return wanted;
        const { id, column, type } = wanted.value;
        const shown = await previewCalculation(parts, exchange.caller, exchange.info, id, {
          into: { kind: 'new', label: column, type },
          expression: { property: column },
          filter: undefined,
          unreadable: 'refuse',
        });
        return shown.ok ? ok(json(200, shown.value)) : err(failureOf(shown.error));
      }),
    );
    app.post(
      `${path}/:id/columns/:column/type`,
      {
        ...limits,
        ...described({
          id: `${tag}_columns_type`,
          tag,
          summary: {
            en: 'Change the type of a column; its values are kept for 30 days',
            de: 'Den Typ einer Spalte ändern; ihre Werte werden 30 Tage aufgehoben',
          },
          parameters: [COLUMN],
          body: record({ type: KIND, unreadable: { type: 'string', enum: ['refuse', 'empty'], default: 'refuse' } }, [
            'type',
          ]),
          examples: { number: { type: 'double precision', unreadable: 'empty' } },
          answers: { 200: record({ rows: COUNT, unreadable: COUNT, kept: KEPT }) },
          refusals: [400, 401, 403, 404],
        }),
      },
      asAccountRoute(context, async (exchange) => {
        const wanted = await retypingBy(exchange);
        if (!wanted.ok) return wanted;
        const { id, ...retyping } = wanted.value;
        const done = await retypeColumn(parts, exchange.caller, exchange.info, id, retyping);
        return done.ok ? ok(json(200, done.value)) : err(failureOf(done.error));
      }),
    );
  }
}

async function wantedBy(
  exchange: Exchange,
): Promise<Result<{ readonly id: number; readonly calculation: Calculation }, PortalError>> {
  const body = await bodyOf(exchange);
  if (!body.ok) return body;
  const parsed = parseCalculation(body.value);
  if (!parsed.ok) return err({ kind: 'invalid-fields', fields: parsed.error });
  const id = pathId(exchange);
  return id === undefined ? err({ kind: 'not-found' }) : ok({ id, calculation: parsed.value });
}

type WantedRetyping = {
  readonly id: number;
  readonly column: string;
  readonly type: ColumnKind;
  readonly empties: boolean;
};

async function retypingBy(exchange: Exchange): Promise<Result<WantedRetyping, PortalError>> {
  const body = await bodyOf(exchange);
  if (!body.ok) return body;
  const { type, unreadable = 'refuse' } = isMembers(body.value) ? body.value : {};
  if (!isColumnKind(type))
    return err({ kind: 'invalid-fields', fields: { type: [`Must be one of ${COLUMN_KIND_NAMES.join(', ')}.`] } });
  if (unreadable !== 'refuse' && unreadable !== 'empty')
    return err({ kind: 'invalid-fields', fields: { unreadable: ['Must be one of refuse, empty.'] } });
  const id = pathId(exchange);
  if (id === undefined) return err({ kind: 'not-found' });
  const column = pathPart(exchange, 'column').slice(0, MAX_NAME).replaceAll('\0', '');
  return ok({ id, column, type, empties: unreadable === 'empty' });
}

function failureOf(error: CalculationError): PortalError {
  if (error.kind !== 'expression') return columnFailure(error);
  const said = `${error.said.slice(0, 1).toUpperCase()}${error.said.slice(1)}.`;
  return { kind: 'invalid-fields', fields: { [error.about]: [said] } };
}

const COLUMN: Parameter = { name: 'column', in: 'path', schema: { type: 'string', maxLength: MAX_NAME } };
const COUNT: Schema = { type: 'integer', minimum: 0 };
const KIND: Schema = { type: 'string', enum: [...COLUMN_KIND_NAMES] };
const KEPT: Schema = { type: 'integer', description: 'By which it is undone: POST …/kept/{kept}/restore/.' };
const ANYTHING: Schema = {};

const WANTED: Readonly<Record<string, Schema>> = {
  column: { type: 'string', maxLength: MAX_NAME, description: 'A column of the layer.' },
  new_column: { ...record({ name: TEXT, type: KIND }, ['name']), description: 'Or a column that is added for it.' },
  expression: { description: 'CQL2 with functions, as text or as JSON.' },
  filter: { description: 'The rows that are meant, in CQL2, as text or as JSON; all of them without.' },
  unreadable: {
    type: 'string',
    enum: [...UNREADABLE],
    default: 'refuse',
    description:
      'What becomes of values that cannot be read: nothing is done at all, the cell is emptied, or left as it is.',
  },
};

const EXAMPLES = {
  upper: { column: 'name', expression: 'upper(trim(name))' },
  density: {
    new_column: { name: 'Density' },
    expression: 'round(population / (area(geom) / 1000000), 1)',
    filter: 'population > 0',
  },
};

const ROWS: Readonly<Record<string, Schema>> = {
  matching: { ...COUNT, description: 'That the condition is true of.' },
  changed: COUNT,
  unreadable: { ...COUNT, description: 'In which something cannot be read, or has no place in the column.' },
};

const SAMPLE: Schema = arrayOf(
  record({
    key: ANYTHING,
    values: { type: 'object', additionalProperties: true, description: 'Of the columns that the expression reads.' },
    before: ANYTHING,
    after: ANYTHING,
  }),
);

const PREVIEW: Schema = record({
  type: { ...TEXT, description: 'Of the column.' },
  rows: record(ROWS),
  changes: { ...SAMPLE, description: 'Ten rows at most.' },
  unreadable: { ...SAMPLE, description: 'Ten rows at most.' },
});

const CALCULATED: Schema = record({
  column: TEXT,
  type: TEXT,
  rows: record({ ...ROWS, held_back: { ...COUNT, description: 'That rules of the table keep as they are.' } }),
  kept: KEPT,
});
