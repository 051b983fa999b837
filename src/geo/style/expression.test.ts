import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseColor } from './color.ts';
import { compileExpression, compileFilter, type Scope } from './expression.ts';

const scope: Scope = {
  properties: { name: 'Elbe', length: 1094, kind: 'river', empty: null, flag: true },
  geometry: 'LineString',
  zoom: 6.5,
  id: 7,
};

function run(raw: unknown): unknown {
  const compiled = compileExpression(raw);
  if (!compiled.ok) throw new Error(`${compiled.error.path}: ${compiled.error.message}`);
  return compiled.value.run(scope);
}

describe('an expression', () => {
  test.each([
    [5, 5],
    ['#ff0000', '#ff0000'],
    [['get', 'name'], 'Elbe'],
    [['get', 'missing'], undefined],
    [['has', 'empty'], false],
    [['geometry-type'], 'LineString'],
    [['id'], 7],
    [['+', ['get', 'length'], 1, 2], 1097],
    [['/', 1, 0], Number.POSITIVE_INFINITY],
    [['-', ['get', 'name']], undefined],
    [['concat', ['get', 'name'], ' ', ['get', 'length']], 'Elbe 1094'],
    [['upcase', ['get', 'name']], 'ELBE'],
    [['case', ['>', ['get', 'length'], 2000], 'long', ['>', ['get', 'length'], 1000], 'middle', 'short'], 'middle'],
    [['case', false, 'a', 'b'], 'b'],
    [['case', ['get', 'missing'], 'a', ['get', 'name'], 'b', 'c'], 'c'],
    [['case', false, 'a', true, 'b'], 'b'],
    [['case', false, 'a'], undefined],
    [['match', ['get', 'kind'], ['lake', 'pond'], 'blue', 'river', 'green', 'grey'], 'green'],
    [['match', ['get', 'missing'], 'a', 1, 2], 2],
    [['step', ['get', 'length'], 'a', 100, 'b', 1094, 'c', 5000, 'd'], 'c'],
    [['interpolate', ['linear'], ['get', 'length'], 1000, 0, 1188, 2], 1],
    [['interpolate', ['exponential', 2], ['zoom'], 6, 0, 7, 1], Math.SQRT2 - 1],
    [['interpolate', ['linear'], ['zoom'], 6, '#000000', 7, '#ffffff'], '#808080'],
    [['interpolate', ['linear'], ['get', 'name'], 6, 1, 7, 2], undefined],
    [
      {
        stops: [
          [6, 1],
          [7, 3],
        ],
      },
      2,
    ],
    [{ property: 'kind', type: 'categorical', stops: [['river', 'red']] }, 'red'],
    [['coalesce', ['get', 'empty'], ['get', 'name']], 'Elbe'],
    [['to-number', '12.5'], 12.5],
    [['in', 'be', ['get', 'name']], true],
    [['in', ['get', 'kind'], ['literal', ['lake', 'river']]], true],
    [['rgba', 255, 0, 0, 0.5], 'rgba(255, 0, 0, 0.5)'],
    [['format', ['get', 'name'], { 'font-scale': 2 }, '!'], 'Elbe!'],
  ])('%j is %j', (raw, value) => {
    const found = run(raw);
    if (typeof value === 'number' && Number.isFinite(value)) expect(found).toBeCloseTo(value, 10);
    else expect(found).toEqual(value);
  });

  test('says which columns it needs and whether the zoom matters', () => {
    const compiled = compileExpression(['case', ['has', 'a'], ['get', 'b'], ['zoom']]);
    expect(compiled.ok && [[...compiled.value.columns], compiled.value.usesZoom, compiled.value.isConstant]).toEqual([
      ['a', 'b'],
      true,
      false,
    ]);
  });

  test.each([
    [['frobnicate', 1], 'is not an operator'],
    [['constructor'], 'is not an operator'],
    [['__proto__', 1], 'is not an operator'],
    [[1, 2], 'begins with the name'],
    [['step', ['zoom'], 1, 5, 2, 5, 3], 'larger than the one before'],
    [['interpolate', ['spline'], ['zoom'], 1, 2, 3, 4], 'the curve'],
    [['match', ['get', 'a'], {}, 1, 2], 'labels'],
    [{ nonsense: 1 }, 'stops'],
    [['get', ['get', 'a']], 'name of a column'],
  ])('%j is refused: %s', (raw, message) => {
    const compiled = compileExpression(raw);
    expect(compiled.ok ? 'accepted' : compiled.error.message).toContain(message);
  });

  test('nested without end is refused, not followed', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = ['-', deep];
    expect(compileExpression(deep)).toMatchObject({
      ok: false,
      error: { message: 'the expression is nested too deeply' },
    });
    expect(compileExpression(['+', ...Array.from({ length: 30_000 }, () => 1)])).toMatchObject({ ok: false });
  });

  test('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        const compiled = compileExpression(raw);
        if (compiled.ok) compiled.value.run(scope);
      }),
    );
  });
});

describe('a filter of the older form', () => {
  test.each([
    [['==', 'kind', 'river'], true],
    [['!=', 'kind', 'river'], false],
    [['in', 'kind', 'lake', 'river'], true],
    [['!in', 'kind', 'lake', 'river'], false],
    [['==', '$type', 'LineString'], true],
    [['all', ['>', 'length', 1000], ['has', 'name']], true],
    [['none', ['==', 'kind', 'lake']], true],
    [['!has', 'empty'], true],
    [['any', ['==', ['get', 'kind'], 'river'], ['<', ['get', 'length'], 3]], true],
  ])('%j is %s', (raw, value) => {
    const compiled = compileFilter(raw);
    expect(compiled.ok && compiled.value.run(scope)).toBe(value);
  });
});

describe('a colour', () => {
  test.each([
    ['#f00', [255, 0, 0, 1]],
    ['#ff000080', [255, 0, 0, 128 / 255]],
    ['rgb(1, 2, 3)', [1, 2, 3, 1]],
    ['rgba(1,2,3,50%)', [1, 2, 3, 0.5]],
    ['hsl(120, 100%, 25%)', [0, 127.5, 0, 1]],
    ['SteelBlue', [70, 130, 180, 1]],
    ['transparent', [0, 0, 0, 0]],
    ['url(http://evil/)', undefined],
    ['#12', undefined],
    ['rgb(a,b,c)', undefined],
  ])('%s', (text, value) => {
    expect(parseColor(text)).toEqual(value);
  });
});
