import { expect, test } from 'vitest';
import { parseXml } from '../../../geo/style/xml-tree.ts';
import { parseFes } from './fes-filter.ts';

function parsed(xml: string): unknown {
  const root = parseXml(`<fes:Filter>${xml}</fes:Filter>`);
  if (!root.ok) throw new Error(root.error.message);
  const read = parseFes(root.value, 'geom');
  return read.ok ? read.value.filter : read.error;
}
const like = (pattern: string, attributes = 'wildCard="*" singleChar="." escapeChar="!"') =>
  parsed(
    `<PropertyIsLike ${attributes}><ValueReference>name</ValueReference><Literal>${pattern}</Literal></PropertyIsLike>`,
  );
const GEOMETRY = '<ValueReference>geom</ValueReference>';
const POINT = '<gml:Point srsName="EPSG:4326"><gml:pos>1 2</gml:pos></gml:Point>';
const within = (distance: string, name = 'DWithin') => parsed(`<${name}>${GEOMETRY}${POINT}${distance}</${name}>`);

test.each([
  ['a*b.c', 'a%b_c'],
  // What means something to the database and nothing to the client is meant as it stands.
  ['50% a_b \\', '50\\% a\\_b \\\\'],
  ['!*!.!!!%', '*.!\\%'],
  ['a!', 'a!'],
])('the pattern %s is %s to the database', (pattern, text) => {
  expect(like(pattern)).toMatchObject({ kind: 'like', pattern: { kind: 'text', value: text } });
});

test('whether letters are alike counts where it is said', () => {
  expect(like('a', 'matchCase="false"')).toMatchObject({ left: { kind: 'fold' }, pattern: { kind: 'fold' } });
  expect(like('a', 'matchCase="true"')).toMatchObject({ left: { kind: 'property' } });
});

test.each([
  ['<Distance uom="m">5</Distance>', 5, 'metre'],
  ['<Distance uom="http://www.opengis.net/def/uom/UCUM#KM">2</Distance>', 2000, 'metre'],
  ['<Distance units="urn:ogc:def:uom:EPSG::m">0</Distance>', 0, 'metre'],
  ['<Distance uom="deg">0.5</Distance>', 0.5, undefined],
  ['<Distance>0.5</Distance>', 0.5, undefined],
])('%s is a distance of %d', (said, distance, unit) => {
  expect(within(said)).toMatchObject({ kind: 'distance', isWithin: true, distance, unit });
  expect(within(said, 'Beyond')).toMatchObject({ isWithin: false });
});

test.each([
  '<Distance uom="furlong">5</Distance>',
  '<Distance uom="m">-1</Distance>',
  '<Distance uom="m">x</Distance>',
  '',
])('%s is none', (said) => {
  expect(within(said)).not.toHaveProperty('kind', 'distance');
});
