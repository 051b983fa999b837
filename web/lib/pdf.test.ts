import { expect, test } from 'vitest';
import { pdfOf } from './pdf.ts';

test('a page has the picture, and every object is where the table says', () => {
  const jpeg = Uint8Array.of(0xff, 0xd8, 1, 2, 3, 0xff, 0xd9);
  const bytes = pdfOf(jpeg, [20, 10], [841.89, 595.28], 'Größe 1');
  const text = Buffer.from(bytes).toString('latin1');
  expect(text.startsWith('%PDF-1.4\n')).toBe(true);
  expect(text).toContain('/MediaBox [0 0 841.89 595.28]');
  expect(text).toContain('/Width 20 /Height 10');
  expect(text).toContain('/Title <feff00470072');
  const start = Number(/startxref\n(\d+)/.exec(text)?.[1]);
  expect(text.slice(start, start + 4)).toBe('xref');
  const offsets = [...text.slice(start).matchAll(/(\d{10}) 00000 n/g)].map(([, offset]) => Number(offset));
  expect(offsets).toHaveLength(6);
  offsets.forEach((offset, i) => {
    expect(text.slice(offset, offset + 7)).toBe(`${i + 1} 0 obj`);
  });
});
