// What a new layer shows and who sees it: attributes, style, keywords, regions, permissions.

import type { Caller } from '../../../auth/caller.ts';
import { readSld } from '../../../geo/style/read-sld.ts';
import { sldVersion } from '../../../geo/style/sld-version.ts';
import { crowdZoom } from '../../../geo/style/zoom-sizes.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import type { Staged, StagedLayer, StagedPlainTable, StagedTable } from '../../../layer-ports/staged.ts';
import type { Session, Statement } from '../../../pg/driver.ts';
import { asCaller } from '../service-scope.ts';
import { statement } from '../service-transaction.ts';
import type { UploadRow } from '../upload-row.ts';
import { ATTRIBUTE_ROWS, attributeRows } from './attribute-rows.ts';
import { cutText } from './cut-text.ts';
import { defaultStyle, type LayerStyle, lookKind } from './default-style.ts';
import { execute, type NewRecord, type PublishError } from './publication.ts';
import { parseDescription } from './xml-metadata.ts';

/**
 * Attributes, style, keywords and, last of all, permissions: they may take away what the steps before need. The result is what of the
 * style is not drawn as it is written.
 */
export async function describeLayer(
  session: Session,
  owner: Caller,
  upload: Pick<UploadRow, 'session'>,
  staged: Staged,
  layer: StagedLayer,
  record: NewRecord,
): Promise<Result<readonly string[], PublishError>> {
  const { warnings, statements } = lookOf(staged, layer, record);
  const done = await execute(session, [
    asCaller(owner),
    ...(layer.kind === 'raster' ? [] : attributeStatements(layer, record.id)),
    ...statements,
    ...wordStatements(staged, record.id),
    ...(hasPermissions(upload.session.permissions)
      ? [
          statement(
            'select portal.set_perms($1, $2::jsonb)',
            String(record.id),
            JSON.stringify(upload.session.permissions),
          ),
        ]
      : []),
  ]);
  return done.ok ? ok(warnings) : done;
}

/** Keywords and regions of a description beside the file. A place that is none of the catalogue's regions is a keyword. */
function wordStatements({ metadata }: Staged, id: number): readonly Statement[] {
  const description = metadata === undefined ? undefined : parseDescription(metadata);
  if (description === undefined) return [];
  const keywords = JSON.stringify(description.keywords);
  const places = JSON.stringify(description.places);
  return [
    statement(
      `select portal.set_keywords($1, array(
        select w from jsonb_array_elements_text($2::jsonb) w
        union all
        select p from jsonb_array_elements_text($3::jsonb) p
        where not exists (select from portal.region r where ${IS_REGION})))`,
      String(id),
      keywords,
      places,
    ),
    statement(
      `select portal.set_regions($1, array(
        select r.id from portal.region r
        where exists (select from jsonb_array_elements_text($2::jsonb) p where ${IS_REGION})))`,
      String(id),
      places,
    ),
  ];
}

/** Whether the place `p` is the region `r`. */
const IS_REGION = '(lower(r.name) = lower(p) or r.code = p)';

/** Its style, sent along or by the kind of its geometry; a table without places is not drawn. */
function lookOf(
  staged: Staged,
  layer: StagedLayer,
  record: NewRecord,
): { readonly warnings: readonly string[]; readonly statements: readonly Statement[] } {
  if (layer.kind === 'table') return { warnings: [], statements: [] };
  const kind = layer.kind === 'raster' ? 'raster' : lookKind(layer.geometry.type.kind);
  const extent = layer.place.extent?.wgs84;
  const crowd = layer.kind === 'raster' || extent === undefined ? undefined : crowdZoom(layer.rows, extent);
  const { warnings, ...style } = styleOf(staged.style, defaultStyle({ ...record, kind, crowd }));
  return {
    warnings,
    statements: [
      statement(
        'select portal.add_style($1, $2, $3, $4, $5, $6::jsonb, true)',
        String(record.id),
        record.name,
        style.sld,
        cutText(style.title, 255),
        sldVersion(style.sld),
        style.maplibre === undefined ? null : JSON.stringify(style.maplibre),
      ),
    ],
  };
}

type SentStyle = LayerStyle & { readonly warnings: readonly string[] };

function styleOf(sent: string | undefined, plain: LayerStyle): SentStyle {
  if (sent === undefined) return { ...plain, warnings: [] };
  const read = readSld(sent);
  // Kept as it was sent, also where it cannot be drawn: then like one without.
  if (!read.ok) return { ...plain, sld: sent, warnings: [`The style is not drawn: ${read.error.message}.`] };
  if (read.value.layers.length === 0)
    return { ...plain, sld: sent, warnings: ['The style is not drawn: there is no symbolizer in it.'] };
  const warnings = read.value.warnings.map((one) => `Style: ${one}`);
  // Drawn from its SLD: columns have got other names in the import, and only then are they known.
  return { sld: sent, title: read.value.title ?? plain.title, maplibre: undefined, warnings };
}

/** Without any the defaults stay; a list that names nobody is one. */
function hasPermissions(spec: unknown): boolean {
  if (typeof spec !== 'object' || spec === null) return false;
  return Object.values(spec).some((one) => typeof one === 'object' && one !== null);
}

/** The columns as the catalogue shows them: those of the file, then the geometry. */
function attributeStatements(layer: StagedTable | StagedPlainTable, id: number): Statement[] {
  return [
    statement(
      `insert into portal.attribute (resource_id, attribute, attribute_label, attribute_type, display_order, count, min, max, average,
         median, stddev, sum, unique_values)
       select $1, a.attribute, a.attribute_label, a.attribute_type, a.display_order, coalesce(a.count, 1), coalesce(a.min, 'NA'),
         coalesce(a.max, 'NA'), coalesce(a.average, 'NA'), coalesce(a.median, 'NA'), coalesce(a.stddev, 'NA'), coalesce(a.sum, 'NA'),
         coalesce(a.unique_values, 'NA')
         from ${ATTRIBUTE_ROWS}`,
      String(id),
      attributeRows(layer),
    ),
  ];
}
