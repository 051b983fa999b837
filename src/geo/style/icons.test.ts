// All icons and marks on one sheet, as a picture to look at: golden/marks.svg. BLESS=1 draws it anew.

import { expect, test } from 'vitest';
import { expectFile } from '../../../test/testkit/expect-file.ts';
import { ICON_NAMES, iconPath } from './icons.ts';
import { markPath } from './mark-path.ts';

const MARKS = ['square', 'triangle', 'star', 'cross', 'x', ...ICON_NAMES];
const [ACROSS, CELL] = [10, 40];

test('look as on the sheet', () => {
  const drawn = MARKS.map((name, i) => {
    const place = `${(i % ACROSS) * CELL + 8} ${Math.floor(i / ACROSS) * CELL + 8}`;
    return `<path transform="translate(${place})" fill-rule="evenodd" d="${markPath(name)}"><title>${name}</title></path>`;
  });
  const [width, height] = [ACROSS * CELL, Math.ceil(MARKS.length / ACROSS) * CELL];
  const sheet = [
    '<svg xmlns="http://www.w3.org/2000/svg" ',
    `viewBox="0 0 ${width} ${height}">\n<title>Icons and marks</title>\n`,
    drawn.join('\n'),
    '\n</svg>\n',
  ];
  expectFile(new URL('./golden/marks.svg', import.meta.url), sheet.join(''));
});

test('stay in their box of 24 by 24, as far as their corners tell', () => {
  for (const name of MARKS)
    for (const [, numbers = ''] of (markPath(name) ?? '').matchAll(/[MLHVC]([^a-zA-Z]*)/g))
      for (const number of numbers.match(/-?[\d.]+/g) ?? [])
        expect(Number(number) >= 0 && Number(number) <= 24, `${name}: ${number}`).toBe(true);
});

test('what is no name of one has no path', () => {
  for (const name of ['', 'circle', 'constructor', '__proto__', 'Airport'])
    expect(markPath(name), name).toBeUndefined();
  expect(iconPath('square')).toBeUndefined();
  expect(iconPath('airport')).toBe(markPath('airport'));
});
