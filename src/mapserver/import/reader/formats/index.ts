import type { ImportFormat } from '../format.ts';
import type { FormatName } from '../sniff.ts';
import { csv } from './csv.ts';
import { excel } from './excel.ts';
import { geojson, geojsonLines } from './geojson.ts';
import { geopackage } from './geopackage.ts';
import { gml } from './gml.ts';
import { kml } from './kml.ts';
import { asciiGrid, erdasImagine, geotiff, jpeg, png } from './raster.ts';
import { shapefile } from './shapefile.ts';
import { flatgeobuf, gpx } from './simple.ts';

export const FORMATS: Readonly<Record<FormatName, ImportFormat>> = {
  shapefile,
  geopackage,
  flatgeobuf,
  geojson,
  'geojson-lines': geojsonLines,
  kml,
  gpx,
  gml,
  csv,
  excel,
  geotiff,
  'ascii-grid': asciiGrid,
  'erdas-imagine': erdasImagine,
  png,
  jpeg,
};
