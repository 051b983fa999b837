// What all collections of catalogue items have in common: where their rows are, what of the query language they know, and what
// is looked after when one is written.

import { type BlobStore, makeBlobKey } from '../../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { Session } from '../../../pg/driver.ts';
import { empty, raw, sql } from '../../../sql/index.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import { storeFailure } from '../../errors/store-failure.ts';
import { arrayText, type BoundValue, bound, type Sql } from '../../fields/bound-value.ts';
import type { Field, RecordType } from '../../fields/field.ts';
import { writeOnly } from '../../fields/field-makers.ts';
import { pictureOf } from '../../files/image-data-url.ts';
import type { Collection, Writer } from '../../operations/collection.ts';
import type { Exchange } from '../../operations/exchange.ts';
import { type Draft, type Given, givenField, givenText, withValues } from '../../operations/write/draft.ts';
import type { WriteMode } from '../../operations/write/parse-element.ts';
import { isInDegrees, NOT_IN_DEGREES } from '../../operations/write/polygon.ts';
import type { SearchPage, Source } from '../../query/source.ts';
import type { ResourceType } from './common-fields.ts';

/** Rows of the catalogue, of one type or of all. */
export function catalogueSource(type: ResourceType | undefined): Source {
  return {
    row: 'r',
    table: raw('portal.resource r'),
    joins: empty,
    key: raw('r.id'),
    where: type === undefined ? [] : [raw(`r.resource_type = '${type}'`)],
    order: { value: raw('r.last_updated'), isDescending: true },
    ...(type === undefined
      ? { countAll: raw('select portal.visible_count()'), countTypes }
      : { countAll: raw(`select portal.visible_count('${type}')`) }),
    searchPage: (search) => searchPage(type === undefined ? search : { ...search, types: [type] }),
    isCatalogue: true,
    mayBeMaps: type === undefined || type === 'map',
  };
}

function searchPage({ words, types, skipped, most }: SearchPage): Sql {
  const wanted = types === undefined ? raw('null') : bound(arrayText(types));
  return sql<BoundValue>`portal.search_page(${bound(arrayText(words))}::text[], ${wanted}::text[], ${bound(String(skipped))}::bigint, ${bound(String(most))}::integer)`;
}

function countTypes(types: readonly string[]): Sql {
  return sql<BoundValue>`select coalesce(sum(portal.visible_count(t)), 0) from unnest(${bound(arrayText(types))}::text[]) t`;
}

export type ContentOptions = {
  readonly path: string;
  readonly about: string;
  readonly recordType: RecordType;
  readonly type: ResourceType | undefined;
  readonly hasExtent: boolean;
  readonly valuePaths?: Collection['valuePaths'];
  readonly writer?: Partial<Writer>;
};

export function contentCollection(options: ContentOptions, blobs: BlobStore): Collection {
  const { recordType, type } = options;
  const further = options.writer?.prepare;
  return {
    path: options.path,
    list: recordType.plural,
    item: recordType.name,
    about: options.about,
    recordType,
    source: catalogueSource(type),
    rules: { recordType, searched: ['title', 'abstract'], hasExtent: options.hasExtent, hasFavourites: true, full: [] },
    visitors: 'welcome',
    listed: [],
    valuePaths: options.valuePaths ?? {},
    writer: {
      table: 'portal.resource',
      fixed: fixedFor(type),
      touched: 'title',
      remove: toBin,
      blobs: filesOf,
      ...options.writer,
      compare: placedOnEarth,
      async prepare(draft, mode, exchange) {
        const fault = placeFault(draft, mode === 'change' ? undefined : 'EPSG:4326');
        if (fault !== undefined) return err(fault);
        const pictured = await keepThumbnail(draft, exchange, blobs);
        if (!pictured.ok) return pictured;
        return further === undefined ? pictured : further(pictured.value, mode, exchange);
      },
    },
  };
}

/** Extents in degrees end at the poles. `usual`: the coordinate system where none is given; undefined: not known yet. */
function placeFault(draft: Draft, usual: string | undefined): PortalError | undefined {
  const srid = givenText(draft, 'srid') ?? usual;
  for (const name of srid === 'EPSG:4326' ? ['ll_bbox_polygon', 'bbox_polygon'] : ['ll_bbox_polygon']) {
    const polygon = givenText(draft, name);
    if (typeof polygon === 'string' && !isInDegrees(polygon))
      return { kind: 'invalid-fields', fields: { [name]: [NOT_IN_DEGREES] } };
  }
  return undefined;
}

const EXTENTS = ['bbox_polygon', 'll_bbox_polygon'] as const;

/**
 * The same for a change that leaves the coordinate system as it is. And the extent of a map that was made up for its reader, sent back
 * with the rest of the record, is left out: stored, it would tell others where layers are that they do not see.
 */
async function placedOnEarth(id: number, draft: Draft, session: Session): Promise<Result<Draft, PortalError>> {
  const given = EXTENTS.flatMap((name) => givenField(draft, name) ?? []);
  if (given.length === 0) return ok(draft);
  const executed = await session.execute([
    {
      text: `select r.srid, case when r.resource_type = 'map' and r.bbox_polygon is null and r.ll_bbox_polygon is null then st_asgeojson(portal.map_extent(r.id), 9, 0) end from portal.resource r where r.id = $1::integer`,
      params: [String(id)],
    },
  ]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  const [srid, made] = (executed.value[0]?.rows[0] ?? []).map((cell) => cell?.toString());
  const shown = made === undefined ? undefined : JSON.stringify(JSON.parse(made));
  const repeated = given.filter(({ name }) => shown !== undefined && givenText(draft, name) === shown);
  const left = withValues(draft, new Map(repeated.map((field) => [field, undefined])));
  const fault = placeFault(left, srid);
  return fault === undefined ? ok(left) : err(fault);
}

/** New items belong to who makes them, unless an administrator says otherwise. */
export function fixedFor(type: ResourceType | undefined): Readonly<Record<string, Sql>> {
  return type === undefined ? {} : { resource_type: raw(`'${type}'`) };
}

/** Into the bin, or for good where nothing is kept: the database knows which. */
function toBin(ids: Sql): Sql {
  return sql<BoundValue>`select d.id, d.purged from portal.delete_items(array(${ids})) d`;
}

function filesOf(ids: Sql): Sql {
  return sql<BoundValue>`with gone as materialized (${ids}) select f.blob from portal.document_file f where f.resource_id in (table gone) union all select t.blob from portal.thumbnail t where t.resource_id in (table gone) union all select p.blob from portal.raster p where p.resource_id in (table gone)`;
}

/** A picture sent along as a data URL becomes the item's own thumbnail. */
const curatedThumbnail: Field = writeOnly('thumbnail', { kind: 'json' }, '', {
  kind: 'setter',
  cast: 'jsonb',
  setter: {
    when: 'middle',
    statements: (id, picture) => [
      sql<BoundValue>`insert into portal.thumbnail (resource_id, curated, blob, mime_type) select ${id}, true, p ->> 'blob', p ->> 'mime' from (select ${picture}::jsonb) v(p) on conflict (resource_id, curated) do update set blob = excluded.blob, mime_type = excluded.mime_type, made = now()`,
    ],
  },
});

export async function keepThumbnail(
  draft: Draft,
  { base }: Exchange,
  blobs: BlobStore,
): Promise<Result<Draft, PortalError>> {
  for (const [field, given] of draft) {
    if (field.name !== 'thumbnail_url' || given.kind !== 'value' || given.text === null) continue;
    // The address that we made up ourselves, sent back with the rest of the record.
    if (given.text.startsWith(`${base}/thumbs/`)) return ok(withValues(draft, new Map([[field, undefined]])));
    if (!given.text.startsWith('data:')) return ok(draft);
    const picture = pictureOf(given.text);
    if (picture === undefined)
      return err({ kind: 'invalid-fields', fields: { thumbnail_url: ['The picture cannot be read.'] } });
    const blob = makeBlobKey('thumbnails');
    const stored = await blobs.put(blob, chunks(picture.bytes));
    if (!stored.ok) return err(storeFailure(stored.error));
    const kept: Given = { kind: 'value', text: JSON.stringify({ blob, mime: picture.mime }) };
    return ok(
      withValues(
        draft,
        new Map<Field, Given>([
          [field, { kind: 'value', text: null }],
          [curatedThumbnail, kept],
        ]),
      ),
    );
  }
  return ok(draft);
}

async function* chunks(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** An app without a title is titled after its name. */
export async function titledByName(
  draft: Draft,
  mode: WriteMode,
  recordType: RecordType,
): Promise<Result<Draft, PortalError>> {
  const title = recordType.byName.get('title');
  const name = recordType.byName.get('name');
  const given = name === undefined ? undefined : draft.get(name);
  if (mode !== 'create' || title === undefined || given === undefined || draft.has(title)) return ok(draft);
  return ok(withValues(draft, new Map([[title, given]])));
}
