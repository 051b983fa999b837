// Which characters a TrueType font has: its `cmap` table, subtables of format 4 and 12. Pure; for fonts that come with the program.

export function fontCharacters(font: Buffer): (code: number) => boolean {
  const at = tableOffset(font, 'cmap');
  const ranges: (readonly [number, number])[] = [];
  for (let i = 0; at !== undefined && i < font.readUInt16BE(at + 2); i++) {
    const table = at + font.readUInt32BE(at + 4 + i * 8 + 4);
    const format = font.readUInt16BE(table);
    if (format === 12) ranges.push(...groups(font, table));
    else if (format === 4) ranges.push(...segments(font, table));
  }
  return (code) => ranges.some(([first, last]) => code >= first && code <= last);
}

function tableOffset(font: Buffer, name: string): number | undefined {
  const count = font.readUInt16BE(4);
  for (let i = 0; i < count; i++) {
    const entry = 12 + i * 16;
    if (font.toString('latin1', entry, entry + 4) === name) return font.readUInt32BE(entry + 8);
  }
  return undefined;
}

function groups(font: Buffer, table: number): (readonly [number, number])[] {
  return Array.from({ length: font.readUInt32BE(table + 12) }, (_, i) => {
    const group = table + 16 + i * 12;
    return [font.readUInt32BE(group), font.readUInt32BE(group + 4)] as const;
  });
}

function segments(font: Buffer, table: number): (readonly [number, number])[] {
  const count = font.readUInt16BE(table + 6) / 2;
  const ends = table + 14;
  const starts = ends + count * 2 + 2;
  return Array.from({ length: count }, (_, i) => {
    return [font.readUInt16BE(starts + i * 2), font.readUInt16BE(ends + i * 2)] as const;
  }).filter(([first]) => first !== 0xffff);
}
