// Rows of a table, or of another layer, onto a layer by a key: the columns of the one row that has it, or how many rows have it and what they add up
// to. Pure.

import { ok, type Result } from '../../../kernel/result.ts';
import type { LayerColumn, VectorLayer } from '../../../layer-ports/layer.ts';
import { ident, join, sql } from '../../../sql/index.ts';
import { propertiesOf } from '../../query/feature-query.ts';
import { columnOf, geometryOf, gisOf } from '../../query/layer-sql.ts';
import type { Sql } from '../../query/value.ts';
import { ANY, conditionsOf, layerInput, ROWS } from './common-inputs.ts';
import { keyTexts } from './key-sql.ts';
import type { Given, InputFaults, Process } from './process.ts';
import { COUNT, columnsOf, named, otherRows, type Recipe, type ResultColumn, selected } from './recipe.ts';

export const JOIN_BY_KEY: Process = {
  id: 'join-by-key',
  title: 'Join by a key',
  description:
    'Each row of a layer with what a table has under the same value, such as a code: the columns of its row, or how many rows there are, and the sum and the mean of a column.',
  inputs: {
    layer: layerInput('Layer', 'Its rows stay as they are, and get columns.'),
    column: { kind: 'column', of: 'layer', title: 'Column', description: 'The key in the layer.' },
    other: { kind: 'layer', title: 'Table', description: 'What has the same key.', geometry: ANY, orTable: true },
    key: { kind: 'column', of: 'other', title: 'Column of the table', description: 'The same key there.' },
    what: {
      kind: 'choice',
      choices: ['columns', 'count'],
      otherwise: 'columns',
      title: 'What is told',
      description:
        'columns: those of the row with the key; where several rows have it, they are empty, and "matches" says how many. count: how many rows have it.',
    },
    value: {
      kind: 'column',
      of: 'other',
      isNumber: true,
      isOptional: true,
      title: 'Column of numbers',
      description: 'With count: its sum and its mean are told, too.',
    },
    filter: ROWS,
  },
  compile: (given) => (given.choice('what') === 'count' ? counted(given) : joined(given)),
};

/** Of the rows with a key, as `o`: the key is `k`. */
type Joined = { readonly columns: readonly ResultColumn[]; readonly rows: (key: Sql, from: Sql) => Sql };

function counted(given: Given): Result<Recipe, InputFaults> {
  const value = given.column('value');
  const columns: readonly (ResultColumn & { readonly of: Sql })[] = [
    { ...COUNT, value: sql`coalesce(o.v0, 0)`, of: sql`count(*)` },
    ...(value === undefined ? [] : measuresOf(value)),
  ];
  const told = join(columns.map(({ of }, i) => sql`${of} as ${ident(`v${i}`)}`));
  return compile(given, { columns, rows: (key, from) => sql`(select ${key} as k, ${told} ${from} group by 1)` });
}

function measuresOf({ name }: LayerColumn): readonly (ResultColumn & { readonly of: Sql })[] {
  const of = sql`${ident('m', name)}::double precision`;
  return [
    { value: sql`o.v1`, label: `sum ${name}`, type: 'double precision', of: sql`sum(${of})` },
    { value: sql`o.v2`, label: `mean ${name}`, type: 'double precision', of: sql`avg(${of})` },
  ];
}

function joined(given: Given): Result<Recipe, InputFaults> {
  const [other, key] = [given.layer('other'), given.column('key')];
  const further = propertiesOf(other).filter(({ name }) => name !== key?.name);
  const columns: readonly ResultColumn[] = [
    ...further.map(({ name, type }, i) => ({
      value: sql`case when o.n = 1 then ${ident('o', `v${i}`)} end`,
      label: name,
      type,
    })),
    { label: 'matches', type: 'bigint', value: sql`coalesce(o.n, 0)` },
  ];
  return compile(given, {
    columns,
    rows: (text, from) => {
      const read = further.map(({ name }, i) => sql`, ${ident('m', name)} as ${ident(`v${i}`)}`);
      const each = sql`select ${text} as k${join(read, '')}, count(*) over w as n, row_number() over w as r ${from} window w as (partition by ${text})`;
      return sql`(select * from (${each}) e where e.r = 1)`;
    },
  });
}

function compile(given: Given, { columns: further, rows }: Joined): Result<Recipe, InputFaults> {
  const [layer, other] = [given.layer('layer'), given.layer('other')];
  const [column, key] = [given.column('column'), given.column('key')];
  if (column === undefined || key === undefined) throw new Error('the description asks for two columns');
  const conditions = conditionsOf(given, layer);
  if (!conditions.ok) return conditions;
  const keyText = keyTexts([column, key]);
  const theirs = keyText(sql`${ident('m', key.name)}`);
  const { from, may } = otherRows(other, 'm');
  const found = rows(theirs, sql`from ${from} where ${may} and ${theirs} is not null`);
  const columns = [...columnsOf(layer), ...further];
  const shape = sql`${gisOf(layer)('st_force2d')}(${geometryOf(layer)})`;
  return ok({
    title: `${layer.title}: ${other.title}`,
    columns: named(columns),
    srid: layer.srid,
    suffix: '',
    parts: [
      {
        layer,
        conditions: conditions.value,
        // What has which key is worked out once, for all rows.
        isWhole: true,
        select: (some) =>
          sql`select ${selected(columns, shape)} from (select ${readOf(layer, column)} ${some}) f left join ${found} o on o.k = ${keyText(columnOf(column.name))}`,
      },
    ],
  });
}

/** What is read of the layer, and no more: of other columns, the caller may not be allowed to. */
function readOf(layer: VectorLayer, key: LayerColumn): Sql {
  const names = [...propertiesOf(layer).map(({ name }) => name), key.name, layer.geometry.column];
  return join([...new Set(names)].map(columnOf));
}
