import { describe, expect, test } from 'vitest';
import { parseWkb } from './wkb.ts';

/** Numbers as WKB has them, in either order of bytes: types and counts as integers, coordinates as doubles. */
function makeWriter(little: boolean) {
  const int = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    if (little) bytes.writeUInt32LE(value >>> 0);
    else bytes.writeUInt32BE(value >>> 0);
    return bytes;
  };
  const doubles = (values: readonly number[]): Buffer =>
    Buffer.concat(
      values.map((value) => {
        const bytes = Buffer.alloc(8);
        if (little) bytes.writeDoubleLE(value);
        else bytes.writeDoubleBE(value);
        return bytes;
      }),
    );
  const geometry = (type: number, ...parts: readonly Buffer[]): Buffer =>
    Buffer.concat([Buffer.of(little ? 1 : 0), int(type), ...parts]);
  const line = (...positions: readonly (readonly number[])[]): Buffer =>
    Buffer.concat([int(positions.length), ...positions.map(doubles)]);
  const several = (...parts: readonly Buffer[]): Buffer => Buffer.concat([int(parts.length), ...parts]);
  return { int, doubles, geometry, line, several };
}

describe.each([true, false])('well-known binary (little-endian: %s)', (little) => {
  const { int, doubles, geometry, line, several } = makeWriter(little);

  test('of each type has its positions', () => {
    expect(parseWkb(geometry(1, doubles([1, 2])))).toEqual([{ kind: 'points', points: [[1, 2]] }]);
    expect(parseWkb(geometry(2, line([0, 0], [3, 4])))).toEqual([
      {
        kind: 'lines',
        lines: [
          [
            [0, 0],
            [3, 4],
          ],
        ],
      },
    ]);
    expect(parseWkb(geometry(3, several(line([0, 0], [1, 0]), line([5, 5]))))).toEqual([
      {
        kind: 'polygons',
        polygons: [
          [
            [
              [0, 0],
              [1, 0],
            ],
            [[5, 5]],
          ],
        ],
      },
    ]);
  });

  test.each([4, 5, 6, 7])('of several parts (type %i) has the parts by kind', (type) => {
    const parts = several(
      geometry(1, doubles([1, 2])),
      geometry(2, line([3, 4])),
      geometry(7, several(geometry(1, doubles([5, 6])))),
      geometry(3, several(line([7, 8]))),
    );
    expect(parseWkb(geometry(type, parts))).toEqual([
      {
        kind: 'points',
        points: [
          [1, 2],
          [5, 6],
        ],
      },
      { kind: 'lines', lines: [[[3, 4]]] },
      { kind: 'polygons', polygons: [[[[7, 8]]]] },
    ]);
  });

  test.each([
    ['PostGIS Z', 0x8000_0002, 3],
    ['PostGIS M', 0x4000_0002, 3],
    ['PostGIS ZM', 0xc000_0002, 4],
    ['ISO Z', 1002, 3],
    ['ISO M', 2002, 3],
    ['ISO ZM', 3002, 4],
  ])('with heights or measures (%s) is read over them', (_form, type, dimensions) => {
    const rest = new Array<number>(dimensions - 2).fill(99);
    expect(parseWkb(geometry(type, line([1, 2, ...rest], [3, 4, ...rest])))).toEqual([
      {
        kind: 'lines',
        lines: [
          [
            [1, 2],
            [3, 4],
          ],
        ],
      },
    ]);
  });

  test('with a coordinate system is read over that', () => {
    expect(parseWkb(geometry(0x2000_0001, int(25832), doubles([1, 2])))).toEqual([
      { kind: 'points', points: [[1, 2]] },
    ]);
  });

  test('that is empty has no shape', () => {
    const empty = [geometry(1, doubles([Number.NaN, Number.NaN])), geometry(2, line()), geometry(3, several())];
    for (const one of [...empty, geometry(7, several(...empty))]) expect(parseWkb(one)).toEqual([]);
  });

  test('of an unknown type, cut off, or nested beyond reason is refused', () => {
    expect(() => parseWkb(geometry(8, line([0, 0])))).toThrow('no geometry is of type 8');
    expect(() => parseWkb(geometry(2, int(2), doubles([1, 2])))).toThrow(RangeError);
    const nested = (depth: number): Buffer =>
      depth === 0 ? geometry(1, doubles([1, 2])) : geometry(7, several(nested(depth - 1)));
    expect(parseWkb(nested(32))).toHaveLength(1);
    expect(() => parseWkb(nested(33))).toThrow('nested too deeply');
  });
});
