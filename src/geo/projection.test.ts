import { describe, expect, test } from 'vitest';
import { isNorthFirst } from './axis-order.ts';
import { growBox, makeCrs, makeProject, projectBox, WEB_MERCATOR, WGS84 } from './projection.ts';

const UTM32 = '+proj=utm +zone=32 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m +no_defs';

describe('from one system to another', () => {
  test.each([
    [0, 0, 0, 0],
    [180, 0, 20_037_508.34, 0],
    [9, 50, 1_001_875.42, 6_446_275.84],
  ])('degrees %d, %d are %d, %d on a web map, and back', (x, y, mx, my) => {
    const [px = 0, py = 0] = makeProject(WGS84, WEB_MERCATOR)(x, y) ?? [];
    expect(px).toBeCloseTo(mx, 1);
    expect(py).toBeCloseTo(my, 1);
    const [bx = 9, by = 9] = makeProject(WEB_MERCATOR, WGS84)(px, py) ?? [];
    expect(bx).toBeCloseTo(x, 9);
    expect(by).toBeCloseTo(y, 9);
  });

  test('by a definition', () => {
    const utm = makeCrs(25832, UTM32);
    if (utm === undefined) throw new Error('it can be read');
    expect(utm).toMatchObject({ isGeographic: false, metresPerUnit: 1 });
    const [x = 0, y = 0] = makeProject(WGS84, utm)(9, 0) ?? [];
    expect(x).toBeCloseTo(500_000, 3);
    expect(y).toBeCloseTo(0, 3);
    expect(
      makeCrs(2226, '+proj=lcc +lat_1=36 +lat_2=37 +lat_0=35 +lon_0=-119 +datum=NAD83 +units=us-ft +no_defs')
        ?.metresPerUnit,
    ).toBeCloseTo(0.3048, 4);
  });

  test('what cannot be read is none, and what is nowhere is undefined', () => {
    expect(makeCrs(1, 'nonsense')).toBeUndefined();
    expect(makeProject(WGS84, WEB_MERCATOR)(0, 91)).toBeUndefined();
    const pole = makeProject(WGS84, WEB_MERCATOR)(0, 90);
    expect(pole?.every(Number.isFinite)).toBe(true);
  });

  test('a box, around all that is in it', () => {
    const [xmin = 0, ymin = 0, xmax = 0, ymax = 0] =
      projectBox(makeProject(WGS84, WEB_MERCATOR), [-180, -90, 180, 90]) ?? [];
    expect([xmin, xmax].map(Math.round)).toEqual([-20_037_508, 20_037_508]);
    expect(Number.isFinite(ymin) && Number.isFinite(ymax)).toBe(true);
    expect(projectBox(() => undefined, [0, 0, 1, 1])).toBeUndefined();
    expect(growBox([0, 0, 10, 20], 0.1)).toEqual([-1, -2, 11, 22]);
  });
});

test.each([
  [4326, true],
  [4258, true],
  [3857, false],
  [3035, true],
  [31467, true],
  [2180, true],
  [25832, false],
  [32632, false],
  [27700, false],
  [2154, false],
  [0, false],
  [999999, false],
])('EPSG:%d has the north first: %s', (code, is) => {
  expect(isNorthFirst(code)).toBe(is);
});
