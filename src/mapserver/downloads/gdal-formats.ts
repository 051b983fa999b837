// The formats that GDAL writes, and what it is told for each. Pure.

import { columnClass } from '../columns/column-class.ts';
import type { LinesFound } from '../features/text-formats.ts';
import type { FeatureQuery } from '../query/feature-query.ts';

export type GdalFormat = 'gpkg' | 'shp.zip' | 'fgb';

/** Files in the work folder. */
export const OUTPUTS: Readonly<Record<GdalFormat, string>> = { gpkg: 'out.gpkg', 'shp.zip': 'out.shp', fgb: 'out.fgb' };

const DRIVERS: Readonly<Record<GdalFormat, string>> = { gpkg: 'GPKG', 'shp.zip': 'ESRI Shapefile', fgb: 'FlatGeobuf' };

/** GDAL cannot open a file with nothing in it: this feature tells it the columns, and is left out. */
export function placeholderFeature({ columns }: FeatureQuery): string {
  const properties = Object.fromEntries(columns.map(({ name }) => [name, null]));
  return `${JSON.stringify({ type: 'Feature', geometry: null, properties })}\n`;
}

/** Of features with several types of geometry, those that go into one file. */
export type Part = {
  /** What `-nlt` calls it. */
  readonly type: string;
  /** A condition on features, in the language of GDAL. */
  readonly where: string;
};

/** Arguments of ogr2ogr, without the names of the files. `crs`: a name that GDAL knows, or well-known text. */
export function gdalArguments(
  format: GdalFormat,
  query: FeatureQuery,
  crs: string,
  { hasPlaceless, isEmpty }: LinesFound,
  part?: Part,
): readonly string[] {
  const { layer } = query;
  const isNumbered = columnClass(layer.keyType) === 'integer';
  const type = query.hasGeometry ? (part?.type ?? geometryType(layer.geometry.type)) : 'NONE';
  return [
    '-f',
    DRIVERS[format],
    '-nln',
    layer.name,
    ...(query.hasGeometry ? ['-a_srs', crs] : []),
    ...(type === undefined ? [] : ['-nlt', type]),
    ...(isEmpty ? ['-limit', '0'] : []),
    ...(part === undefined ? [] : ['-where', part.where]),
    ...(isNumbered && format === 'gpkg' ? ['-preserve_fid'] : []),
    ...layerOptions(format, query, hasPlaceless),
    ...(format === 'shp.zip' ? ['-skipfailures'] : []),
  ];
}

function layerOptions(format: GdalFormat, { layer, columns }: FeatureQuery, hasPlaceless: boolean): readonly string[] {
  switch (format) {
    case 'gpkg': {
      // A column of the same name would be in the way.
      const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
      const free = (name: string): string => (taken.has(name.toLowerCase()) ? free(`${name}_`) : name);
      return ['-lco', `FID=${free(layer.primaryKey)}`, '-lco', `GEOMETRY_NAME=${free('geom')}`];
    }
    case 'shp.zip':
      return ['-lco', 'ENCODING=UTF-8'];
    case 'fgb':
      // Its index has no place for features without a geometry: they would be left out.
      return hasPlaceless ? ['-lco', 'SPATIAL_INDEX=NO'] : [];
  }
}

/** `MultiPolygonZ` → what `-nlt` calls it; undefined: anything. */
function geometryType(type: string): string | undefined {
  const [, plain = '', suffix = ''] = /^(.*?)(ZM|Z|M)?$/.exec(type) ?? [];
  return /^(?:Multi)?(?:Point|LineString|Polygon)$/.test(plain) ? `${plain.toUpperCase()}${suffix}` : undefined;
}
