// Addresses in columns → a point for each row. The rows are read with their address behind their columns; what finds the places is asked about them on
// their way into the result (geocoding/). Or by a key: the row gets the place of what another layer has under the same value. Pure.

import { err, ok, type Result } from '../../../kernel/result.ts';
import type { LayerColumn, VectorLayer } from '../../../layer-ports/layer.ts';
import type { ProcessInput } from '../../../layer-ports/process.ts';
import { ident, join, sql } from '../../../sql/index.ts';
import { transformed } from '../../query/box-sql.ts';
import { propertiesOf } from '../../query/feature-query.ts';
import { columnOf, gisOf } from '../../query/layer-sql.ts';
import { type Sql, text, whole } from '../../query/value.ts';
import { ANY, conditionsOf, layerInput, ROWS } from './common-inputs.ts';
import { FOUND_COLUMNS } from './found-columns.ts';
import { keyTexts } from './key-sql.ts';
import type { Given, InputFaults, Process } from './process.ts';
import { columnsOf, named, otherRows, type Recipe, type ResultColumn, selected } from './recipe.ts';

const TABLE: ProcessInput = {
  kind: 'layer',
  title: 'Table',
  description: 'Its rows get places; all of its columns stay.',
  geometry: ANY,
  orTable: true,
};

const PARTS = {
  address: 'Whole address',
  street: 'Street',
  number: 'House number',
  postcode: 'Postcode',
  city: 'Town',
  country: 'Country',
} as const;

const PART_INPUTS: Readonly<Record<string, ProcessInput>> = Object.fromEntries(
  Object.entries(PARTS).map(([name, title]) => [
    name,
    { kind: 'column', of: 'layer', title, description: 'A column with this part of the address.', isOptional: true },
  ]),
);

/** `hasGeocoder`: one is configured. */
export function geocode(hasGeocoder: boolean): Process {
  return {
    id: 'geocode',
    title: 'Find places of addresses',
    description:
      'A point for each row of a table, found by its address, with how well it fits and what else was found. What is unsure can be reviewed.',
    inputs: {
      layer: TABLE,
      way: {
        kind: 'choice',
        title: 'Found by',
        description:
          'geocoder: the service that the portal is set up with. places: names of towns and countries that come with the program.',
        choices: hasGeocoder ? ['geocoder', 'places'] : ['places'],
        otherwise: hasGeocoder ? 'geocoder' : 'places',
      },
      ...PART_INPUTS,
      filter: ROWS,
    },
    compile(given) {
      const layer = given.layer('layer');
      const lookup = given.choice('way') === 'geocoder' ? 'geocoder' : 'places';
      const place = lookup === 'geocoder' ? addressOf(given) : townOf(given);
      const country = given.column('country');
      if (place === undefined && country === undefined)
        return err(
          lookup === 'geocoder'
            ? { address: 'A column with the address, or columns with its parts, are expected.' }
            : { city: 'A column with names of towns or countries is expected.' },
        );
      const conditions = conditionsOf(given, layer);
      if (!conditions.ok) return conditions;
      const columns = ownColumns(layer);
      const parts: readonly Sql[] = [place ?? sql`''::text`, country === undefined ? sql`''::text` : textOf(country)];
      return ok({
        title: `${layer.title}: places`,
        columns: named([...columns, ...FOUND_COLUMNS.map((column) => ({ ...column, value: sql<never>`null` }))]),
        srid: 4326,
        suffix: '',
        lookup,
        parts: [
          {
            layer,
            conditions: conditions.value,
            isWhole: false,
            select: (rows): Sql => sql`select ${join([...columns.map(({ value }) => value), ...parts])} ${rows}`,
          },
        ],
      });
    },
  };
}

/** `Street 5, 8000 Town`; what is empty is left out. */
function addressOf(given: Given): Sql | undefined {
  const words = (names: readonly (keyof typeof PARTS)[]): readonly Sql[] => {
    const columns = names.flatMap((name) => given.column(name) ?? []);
    return columns.length === 0 ? [] : [sql`nullif(concat_ws(' ', ${join(columns.map(textOf))}), '')`];
  };
  const groups = [...words(['address']), ...words(['street', 'number']), ...words(['postcode', 'city'])];
  return groups.length === 0 ? undefined : sql`concat_ws(', ', ${join(groups)})`;
}

function townOf(given: Given): Sql | undefined {
  const column = given.column('city') ?? given.column('address');
  return column === undefined ? undefined : textOf(column);
}

function textOf({ name }: LayerColumn): Sql {
  return sql`nullif(btrim(${columnOf(name)}::text), '')`;
}

const FOUND_NAMES: ReadonlySet<string> = new Set(FOUND_COLUMNS.map(({ label }) => label));

/** Without what an earlier search has found. */
function ownColumns(layer: VectorLayer): readonly ResultColumn[] {
  return columnsOf(layer).filter(({ label }) => !FOUND_NAMES.has(label));
}

export const PLACES_BY_KEY: Process = {
  id: 'places-by-key',
  title: 'Places by a key',
  description:
    'A point for each row of a table: that of the row of a layer that has the same value, such as a postcode. Of an area, a point inside of it.',
  inputs: {
    layer: TABLE,
    column: { kind: 'column', of: 'layer', title: 'Column', description: 'The key in the table.' },
    other: layerInput('Layer with places', 'What has the key and a shape.'),
    key: { kind: 'column', of: 'other', title: 'Column of the layer', description: 'The same key there.' },
    filter: ROWS,
  },
  compile: byKey,
};

const MAX_CANDIDATES = 5;

function byKey(given: Given): Result<Recipe, InputFaults> {
  const [layer, other] = [given.layer('layer'), given.layer('other')];
  const [column, key] = [given.column('column'), given.column('key')];
  if (column === undefined || key === undefined) throw new Error('the description asks for two columns');
  const conditions = conditionsOf(given, layer);
  if (!conditions.ok) return conditions;
  const gis = gisOf(other);
  const keyText = keyTexts([column, key]);
  const rows = otherRows(other, 'm');
  const shape = sql`${ident('m', other.geometry.column)}`;
  const point = transformed(other, sql`${gis('st_pointonsurface')}(${gis('st_force2d')}(${shape}))`, 4326);
  const candidate = sql`json_build_object('name', ${ident('m', key.name)}::text, 'lon', ${gis('st_x')}(p.g), 'lat', ${gis('st_y')}(p.g), 'score', 1)`;
  const found = sql`(select ${keyText(sql`${ident('m', key.name)}`)} as k, count(*) as n, min(${ident('m', key.name)}::text) as word,
      (array_agg(p.g))[1] as g, to_jsonb((array_agg(${candidate}))[1:${whole(MAX_CANDIDATES)}]) as candidates
    from ${rows.from} cross join lateral (select ${point} as g offset 0) p
    where ${rows.may} and ${shape} is not null and not ${gis('st_isempty')}(${shape}) group by 1)`;
  const foundValues: Readonly<Record<(typeof FOUND_COLUMNS)[number]['label'], Sql>> = {
    geocode_address: sql`${columnOf(column.name)}::text`,
    geocode_state: sql`case when o.n is null then 'none' when o.n = 1 then 'sure' else 'unsure' end`,
    geocode_score: sql`1.0 / o.n`,
    geocode_match: sql`o.word`,
    geocode_source: sql`case when o.n is not null then ${text(other.title)} end`,
    geocode_candidates: sql`coalesce(o.candidates, '[]')`,
  };
  const columns = [
    ...ownColumns(layer),
    ...FOUND_COLUMNS.map((one): ResultColumn => ({ ...one, value: foundValues[one.label] })),
  ];
  const read = join([...new Set([...propertiesOf(layer).map(({ name }) => name), column.name])].map(columnOf));
  return ok({
    title: `${layer.title}: ${other.title}`,
    columns: named(columns),
    srid: 4326,
    suffix: '',
    parts: [
      {
        layer,
        conditions: conditions.value,
        // What the keys stand for is worked out once, for all rows.
        isWhole: true,
        select: (some) =>
          sql`select ${selected(columns, sql`o.g`)} from (select ${read} ${some}) f left join ${found} o on o.k = ${keyText(columnOf(column.name))}`,
      },
    ],
  });
}
