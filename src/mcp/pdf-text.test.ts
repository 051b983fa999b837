import { expect, test } from 'vitest';
import { pdfText } from './pdf-text.ts';

/** One line of text on each page. */
function pdf(lines: readonly string[]): Buffer {
  const pages = lines.map((line, at) => {
    const content = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`;
    const own = 4 + at * 2;
    return [
      `${own} 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${own + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >> endobj`,
      `${own + 1} 0 obj << /Length ${content.length} >> stream\n${content}\nendstream endobj`,
    ].join('\n');
  });
  const kids = lines.map((_, at) => `${4 + at * 2} 0 R`).join(' ');
  return Buffer.from(
    [
      '%PDF-1.4',
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
      `2 0 obj << /Type /Pages /Kids [${kids}] /Count ${lines.length} >> endobj`,
      '3 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj',
      ...pages,
      'trailer << /Root 1 0 R >>',
      '%%EOF',
    ].join('\n'),
  );
}

test('text is read page by page, until there is enough', async () => {
  const file = pdf(['The Elbe is 1094 km long', 'The Weser is 451 km long']);
  expect(await pdfText(file, 1000)).toEqual({
    text: 'The Elbe is 1094 km long\n\nThe Weser is 451 km long',
    pages: 2,
    ofPages: 2,
  });
  expect(await pdfText(file, 10)).toEqual({ text: 'The Elbe i', pages: 1, ofPages: 2 });
});

test('what is no PDF has none, and the next file is read', async () => {
  expect(await pdfText(Buffer.from('%PDF-1.7\nnothing'), 1000)).toBeUndefined();
  expect(await pdfText(pdf(['again']), 1000)).toMatchObject({ text: 'again' });
});
