// A layer that stands ready → its record in the catalogue: name, title, place, time, and what a description beside the file says.

import type { Caller } from '../../../auth/caller.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import type { Staged, StagedColumn, StagedLayer } from '../../../layer-ports/staged.ts';
import type { Session } from '../../../pg/driver.ts';
import { quoteLiteral } from '../../../sql/index.ts';
import { asCaller } from '../service-scope.ts';
import { layerName } from '../upload-order.ts';
import type { UploadRow } from '../upload-row.ts';
import { boxText } from './box-text.ts';
import { cutText } from './cut-text.ts';
import { execute, type NewRecord, type PublishError } from './publication.ts';
import { parseDescription } from './xml-metadata.ts';

const WORKSPACE = 'portal';

const STORE = 'portal_data';

/** What is asked for, whether or not it came as files. */
export type UploadWishes = Pick<UploadRow, 'name' | 'session'>;

export async function insertRecord(
  session: Session,
  owner: Caller,
  upload: UploadWishes,
  staged: Staged,
  layer: StagedLayer,
): Promise<Result<NewRecord, PublishError>> {
  const description = staged.metadata === undefined ? undefined : parseDescription(staged.metadata);
  const own = layer.kind === 'raster' ? '' : layer.title;
  const name = own === '' ? upload.name : layerName(own);
  const asked =
    upload.session.layer_title ?? description?.title ?? (own === '' ? stemOf(staged.file, upload.name) : own);
  // Several layers under one title could not be told apart.
  const title = cutText(own !== '' && asked !== own ? `${asked}: ${own}` : asked, 255);
  const time = timeColumn(upload, layer);
  const place = layer.kind === 'table' ? undefined : layer.place;
  const extent = place?.extent;
  const values: readonly (readonly [column: string, value: string | null, cast?: string])[] = [
    ['resource_type', 'layer'],
    ['title', title],
    ['abstract', cutText(upload.session.layer_abstract ?? description?.abstract ?? '', 2000)],
    ['name', name],
    ['workspace', WORKSPACE],
    ['store', layer.kind === 'raster' ? name : STORE],
    ['store_type', layer.kind === 'raster' ? 'coverageStore' : 'dataStore'],
    ['charset', staged.charset],
    ...(place === undefined ? [] : ([['srid', place.crs]] as const)),
    ['has_time', String(time !== undefined), 'boolean'],
    ['temporal_extent_start', time?.statistics.min ?? null, 'timestamptz'],
    ['temporal_extent_end', time?.statistics.max ?? null, 'timestamptz'],
    // Without a cast it is the column's own type, wherever PostGIS lives.
    ...(place === undefined || extent === undefined
      ? []
      : ([
          ['bbox_polygon', boxText(extent.native, place.srid), ''],
          ['ll_bbox_polygon', boxText(extent.wgs84, 4326), ''],
        ] as const)),
    ...(description?.purpose === undefined ? [] : ([['purpose', description.purpose]] as const)),
    ...(description?.edition === undefined ? [] : ([['edition', description.edition]] as const)),
    ...(description?.language === undefined ? [] : ([['language', description.language]] as const)),
    ...(description?.quality === undefined ? [] : ([['data_quality_statement', description.quality]] as const)),
    ...(description?.supplemental === undefined
      ? []
      : ([['supplemental_information', description.supplemental]] as const)),
  ];
  const representation = { vector: 'vector', table: 'textTable', raster: 'grid' }[layer.kind];
  const inserted = await execute(session, [
    asCaller(owner),
    {
      text: `insert into portal.resource (${values.map(([column]) => column).join(', ')}, spatial_representation_type_id, category_id)
        values (${values.map(([, , cast = 'text'], i) => `$${i + 1}${cast === '' ? '' : `::${cast}`}`).join(', ')},
          (select t.id from portal.spatial_representation_type t where t.identifier = ${quoteLiteral(representation)}),
          (select c.id from portal.category c where lower(c.identifier) = lower($${values.length + 1}::text) order by c.id limit 1))
        returning id, name, title`,
      params: [...values.map(([, value]) => value), description?.category ?? null],
    },
  ]);
  if (!inserted.ok) return inserted;
  const [row = []] = inserted.value[1] ?? [];
  return ok({ id: Number(row[0]), name: row[1] ?? name, title: row[2] ?? title });
}

function stemOf(file: string, otherwise: string): string {
  const dot = file.lastIndexOf('.');
  return (dot <= 0 ? file : file.slice(0, dot)) || otherwise;
}

/** The first column that says when, where somebody asked for it. */
function timeColumn(upload: UploadWishes, layer: StagedLayer): StagedColumn | undefined {
  if (upload.session.time !== true || layer.kind !== 'vector') return undefined;
  return layer.columns.find(({ type }) => type === 'timestamptz' || type === 'timestamp' || type === 'date');
}
