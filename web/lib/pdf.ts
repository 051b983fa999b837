// One picture on one page, as PDF 1.4: nothing else is needed of it. Pure.

/** `size`: of the page, in points (1/72 inch); the picture fills it. */
export function pdfOf(
  jpeg: Uint8Array,
  pixels: readonly [width: number, height: number],
  size: readonly [width: number, height: number],
  title: string,
): Uint8Array {
  const [width, height] = size.map((one) => one.toFixed(2));
  const content = `q ${width} 0 0 ${height} 0 0 cm /Picture Do Q`;
  const objects: readonly (string | readonly [string, Uint8Array])[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << /XObject << /Picture 5 0 R >> >> /Contents 4 0 R >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    [
      `<< /Type /XObject /Subtype /Image /Width ${pixels[0]} /Height ${pixels[1]} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>`,
      jpeg,
    ],
    `<< /Title ${hexText(title)} >>`,
  ];
  const parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: string | Uint8Array): void => {
    const bytes = typeof part === 'string' ? new TextEncoder().encode(part) : part;
    parts.push(bytes);
    length += bytes.length;
  };
  add('%PDF-1.4\n');
  const offsets: number[] = [];
  objects.forEach((object, i) => {
    offsets.push(length);
    add(`${i + 1} 0 obj\n`);
    if (typeof object === 'string') add(object);
    else {
      add(`${object[0]}\nstream\n`);
      add(object[1]);
      add('\nendstream');
    }
    add('\nendobj\n');
  });
  const start = length;
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`);
  for (const offset of offsets) add(`${String(offset).padStart(10, '0')} 00000 n \n`);
  add(
    `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${start}\n%%EOF\n`,
  );
  const out = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** UTF-16 with its mark, so that any title can be read. */
function hexText(text: string): string {
  const codes = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, '0'));
  return `<feff${codes.join('')}>`;
}
