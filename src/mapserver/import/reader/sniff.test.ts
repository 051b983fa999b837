import { describe, expect, test } from 'vitest';
import { sniff } from './sniff.ts';

const shp = Buffer.alloc(100);
shp.writeInt32BE(9994, 0);
const gpkg = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(52), Buffer.from('GPKG'), Buffer.alloc(28)]);
const sqlite = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(84)]);
const feature = '{"type":"Feature","geometry":null,"properties":{}}';

describe('a file is recognised by its content', () => {
  test.each<[string, Buffer | string, string, unknown]>([
    ['nothing', '', 'a.geojson', { kind: 'empty' }],
    ['white space', ' \n\t ', 'a.geojson', { kind: 'empty' }],
    ['a shapefile', shp, 'a.shp', { kind: 'shapefile' }],
    ['a shapefile under another name', shp, 'a.geojson', { kind: 'shapefile' }],
    ['a GeoPackage', gpkg, 'a.gpkg', { kind: 'geopackage' }],
    ['an SQLite database', sqlite, 'a.db', { kind: 'unsupported', what: expect.stringContaining('SQLite') }],
    ['a TIFF', Buffer.from('49492a0008000000', 'hex'), 'a.tif', { kind: 'geotiff' }],
    ['an ASCII grid', Buffer.from('NCOLS 2\r\nNROWS 1\r\nXLLCENTER 8.0\n'), 'a.asc', { kind: 'ascii-grid' }],
    ['a BigTIFF', Buffer.from('4d4d002b', 'hex'), 'a.tif', { kind: 'geotiff' }],
    ['FlatGeobuf', Buffer.from('6667620366676201', 'hex'), 'a.fgb', { kind: 'flatgeobuf' }],
    ['a zip', Buffer.from('504b0304', 'hex'), 'a.shp', { kind: 'zip' }],
    ['GeoJSON', '\ufeff{"type": "FeatureCollection", "features": []}', 'a.json', { kind: 'geojson' }],
    ['GeoJSON called a shapefile', '{"type": "FeatureCollection"}', 'a.shp', { kind: 'geojson' }],
    ['a feature per line', `${feature}\n${feature}\n`, 'a.json', { kind: 'geojson-lines' }],
    ['a single feature', `${feature}\n`, 'a.json', { kind: 'geojson' }],
    ['a single feature of lines', `${feature}\n`, 'a.ndjson', { kind: 'geojson-lines' }],
    ['a GeoJSON text sequence', `\u001e${feature}\n`, 'a.json', { kind: 'geojson-lines' }],
    ['GeoJSON over several lines', '{\n"type": "FeatureCollection"\n}', 'a.json', { kind: 'geojson' }],
    ['KML', '<?xml version="1.0"?>\n<!-- <gpx> -->\n<kml xmlns="x">', 'a.xml', { kind: 'kml' }],
    ['GPX', '<gpx version="1.1">', 'a.gpx', { kind: 'gpx' }],
    ['GML', '<wfs:FeatureCollection xmlns:gml="http://www.opengis.net/gml/3.2">', 'a.xml', { kind: 'gml' }],
    ['GML by name', '<x:Things >', 'a.gml', { kind: 'gml' }],
    ['a style', '<sld:StyledLayerDescriptor version="1.0.0">', 'a.sld', { kind: 'style' }],
    ['ISO metadata', '<gmd:MD_Metadata xmlns:gml="http://www.opengis.net/gml">', 'a.xml', { kind: 'metadata' }],
    ['FGDC metadata', '<metadata><idinfo>', 'a.xml', { kind: 'metadata' }],
    [
      'a virtual dataset',
      '<OGRVRTDataSource><OGRVRTLayer>',
      'a.csv',
      { kind: 'unsupported', what: expect.any(String) },
    ],
    ['a virtual raster', '<VRTDataset rasterXSize="1">', 'a.tif', { kind: 'unsupported', what: expect.any(String) }],
    ['a page', '<!DOCTYPE html>\n<html>', 'a.kml', { kind: 'unsupported', what: 'a web page' }],
    ['entities before the root', '<!DOCTYPE kml [<!ENTITY a "<gpx >">]>\n<kml>', 'a.kml', { kind: 'kml' }],
    ['a table', 'lat,lon\n1,2\n', 'a.csv', { kind: 'csv' }],
    ['a table in UTF-16', Buffer.from('\ufefflat\tlon\n', 'utf16le'), 'a.txt', { kind: 'csv' }],
    ['words', 'hello', 'a.geojson', { kind: 'unsupported', what: undefined }],
    ['a PNG image', Buffer.from('89504e470d0a', 'hex'), 'a.tif', { kind: 'png' }],
    ['a JPEG image', Buffer.from('ffd8ffe00010', 'hex'), 'a.png', { kind: 'jpeg' }],
    ['ERDAS Imagine', Buffer.from('EHFA_HEADER_TAG\0'), 'a.img', { kind: 'erdas-imagine' }],
    ['a world file', Buffer.from('1\n0\n0\n-1\n0\n0\n'), 'a.PGW', { kind: 'part' }],
    [
      'JPEG 2000',
      Buffer.from('0000000c6a5020200d0a870a', 'hex'),
      'a.jp2',
      { kind: 'unsupported', what: 'a JPEG 2000 image (save it as a GeoTIFF)' },
    ],
    ['a projection', 'GEOGCS["x"]', 'a.prj', { kind: 'part' }],
    ['constructor', '<constructor>', 'a.xml', { kind: 'unsupported', what: 'an XML document (constructor)' }],
  ])('%s', (_what, content, name, expected) => {
    expect(sniff(Buffer.from(content), name)).toEqual(expected);
  });
});
