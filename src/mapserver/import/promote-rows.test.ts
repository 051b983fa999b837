import { describe, expect, test } from 'vitest';
import { makePromoter } from './promote-rows.ts';

const SRID = 'E6100000';
const lines = (...rows: string[]): Buffer => Buffer.from(rows.map((row) => `${row}\n`).join(''));

describe('rows', () => {
  test.each([
    ['a polygon', `0103000020${SRID}ABCD\tx`, `0106000020${SRID}010000000103000000ABCD\tx`],
    ['a polygon without SRID', `0103000000ABCD`, `0106000000010000000103000000ABCD`],
    ['a polygon with Z', `01030000A0${SRID}ABCD\t1`, `01060000A0${SRID}010000000103000080ABCD\t1`],
    ['a line with M', `0102000060${SRID}ABCD`, `0105000060${SRID}010000000102000040ABCD`],
    ['an empty line', `010200000000000000`, `0105000000010000000102000000 00000000`.replace(' ', '')],
    ['a point', `0101000020${SRID}ABCD\t0103000020`, `0101000020${SRID}ABCD\t0103000020`],
    ['a multipolygon', `0106000020${SRID}ABCD`, `0106000020${SRID}ABCD`],
    ['no geometry', '\\N\tx', '\\N\tx'],
    ['something else', 'garbage', 'garbage'],
  ])('%s', (_name, before, after) => {
    expect(
      makePromoter()
        .promote(lines(before, before, before))
        .toString(),
    ).toBe(lines(after, after, after).toString());
  });

  test.each([
    ['one point', `0104000020${SRID}010000000101000000ABCD\tx`, `0101000020${SRID}ABCD\tx`, false],
    ['one point with Z', `0104000080010000000101000080ABCD`, `0101000080ABCD`, false],
    ['no point', `0104000020${SRID}00000000\tx`, `0101000020${SRID}000000000000F87F000000000000F87F\tx`, false],
    ['two points', `0104000000020000000101000000AB0101000000CD`, `0104000000020000000101000000AB0101000000CD`, true],
  ])('collections of points: %s', (_name, before, after, hasMultipoint) => {
    const promoter = makePromoter({ takesPointsOut: true });
    expect(promoter.promote(lines(before, before)).toString()).toBe(lines(after, after).toString());
    expect(promoter.hasMultipoint).toBe(hasMultipoint);
  });

  test('may have their geometry behind a key', () => {
    expect(makePromoter({ field: 1 }).promote(lines(`7\t0103000000ABCD\tx`, '8\t\\N')).toString()).toBe(
      lines(`7\t0106000000010000000103000000ABCD\tx`, '8\t\\N').toString(),
    );
  });

  test('are counted, and their kinds noted', () => {
    const promoter = makePromoter();
    promoter.promote(lines(`0103000020${SRID}AB`, '\\N', `0106000020${SRID}AB`, `0101000020${SRID}AB`));
    promoter.promote(lines('\\N'));
    expect({ rows: promoter.rows, nulls: promoter.nulls, kinds: [...promoter.kinds] }).toEqual({
      rows: 5,
      nulls: 2,
      kinds: ['MULTIPOLYGON', 'POINT'],
    });
  });
});
