import { expect, test } from 'vitest';
import { factsOf, featuresOf, legendOf, pictureType } from './remote-content.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const reply = (type: string, body: string) => ({
  status: 200,
  type,
  body: Buffer.from(body),
  address: new URL('http://x'),
});

test('a picture is what begins like one, whatever its service calls it', () => {
  expect(pictureType(PNG)).toBe('image/png');
  expect(pictureType(Buffer.from('ffd8ffe000104a46', 'hex'))).toBe('image/jpeg');
  expect(pictureType(Buffer.from('RIFF\0\0\0\0WEBPVP8 '))).toBe('image/webp');
  for (const other of ['<svg onload="alert(1)"/>', '<!doctype html>', 'BM', '', '{"a":1}'])
    expect(pictureType(Buffer.from(other)), other).toBeUndefined();
});

test('features come without whatever else the answer had, and it is said when there are more', () => {
  const found = featuresOf(
    Buffer.from(
      JSON.stringify({
        type: 'FeatureCollection',
        numberMatched: 5,
        links: [{ href: 'javascript:alert(1)' }],
        features: [
          { type: 'Feature', id: 7, geometry: { type: 'Point', coordinates: [1, 2] }, properties: { a: 1 }, evil: 1 },
          3,
        ],
      }),
    ),
  );
  expect(found).toEqual({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', id: 7, geometry: { type: 'Point', coordinates: [1, 2] }, properties: { a: 1 } }],
    truncated: true,
  });
  expect(featuresOf(Buffer.from('<html>'))).toBeUndefined();
  expect(featuresOf(Buffer.from('{"type":"Feature"}'))).toBeUndefined();
});

test('what lies at a place is read from GeoJSON, ArcGIS, GML and plain text, and from nothing else', () => {
  const json = JSON.stringify({ features: [{ properties: { name: 'A', none: null, n: 3 } }] });
  expect(factsOf(reply('application/json', json))).toEqual([{ name: 'A', n: '3' }]);
  expect(factsOf(reply('text/plain', JSON.stringify({ results: [{ attributes: { NAME: 'B' } }] })))).toEqual([
    { NAME: 'B' },
  ]);
  const gml =
    '<?xml version="1.0"?><msGMLOutput><roads_layer><gml:name>Roads</gml:name><roads_feature><gml:boundedBy><gml:Box><gml:coordinates>1,2</gml:coordinates></gml:Box></gml:boundedBy><name>Main</name></roads_feature></roads_layer></msGMLOutput>';
  expect(factsOf(reply('application/vnd.ogc.gml', gml))).toEqual([{ name: 'Main' }]);
  const members =
    '<wfs:FeatureCollection><gml:featureMember><t:road><t:n>1</t:n><t:geom><gml:Point><gml:pos>1 2</gml:pos></gml:Point></t:geom></t:road></gml:featureMember></wfs:FeatureCollection>';
  expect(factsOf(reply('text/xml', members))).toEqual([{ n: '1' }]);
  expect(factsOf(reply('text/xml', '<FeatureInfoResponse><FIELDS A="1" B=""/></FeatureInfoResponse>'))).toEqual([
    { A: '1' },
  ]);
  expect(factsOf(reply('text/plain', ' all is well \n'))).toEqual([{ '': 'all is well' }]);
  expect(factsOf(reply('text/html', '<b>no</b>'))).toBeUndefined();
  expect(factsOf(reply('text/xml', '<?xml version="1.0"?><ServiceExceptionReport/>'))).toBeUndefined();
});

test('of a legend only pictures are handed on', () => {
  const legend = (imageData: string): Buffer =>
    Buffer.from(JSON.stringify({ layers: [{ layerId: 1, legend: [{ label: 'A', imageData }] }] }));
  expect(legendOf(legend(PNG.toString('base64')), '1')).toEqual([
    { label: 'A', picture: `data:image/png;base64,${PNG.toString('base64')}` },
  ]);
  expect(legendOf(legend(Buffer.from('<svg/>').toString('base64')), '1')).toEqual([]);
});
