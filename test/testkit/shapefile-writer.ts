// A shapefile of points whose .dbf holds exactly the bytes that are given: GDAL writes none of the values that other programs leave
// where nothing is known.

export type DbfField = { readonly name: string; readonly type: 'C' | 'N' | 'F' | 'L' | 'D'; readonly width: number };

const WGS84 =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

/** Cells are padded on the left, and one too long is a mistake of the test. Row n is at 8 + n/100, 47. */
export function pointShapefile(
  fields: readonly DbfField[],
  rows: readonly (readonly string[])[],
): Readonly<Record<'shp' | 'shx' | 'dbf' | 'prj', Buffer>> {
  const records = rows.map((_, i) => {
    const record = Buffer.alloc(28);
    record.writeInt32BE(i + 1, 0);
    record.writeInt32BE(10, 4);
    record.writeInt32LE(1, 8);
    record.writeDoubleLE(8 + i / 100, 12);
    record.writeDoubleLE(47, 20);
    return record;
  });
  const index = rows.map((_, i) => {
    const entry = Buffer.alloc(8);
    entry.writeInt32BE((100 + 28 * i) / 2, 0);
    entry.writeInt32BE(10, 4);
    return entry;
  });
  return {
    shp: withHead(Buffer.concat(records)),
    shx: withHead(Buffer.concat(index)),
    dbf: dbfOf(fields, rows),
    prj: Buffer.from(WGS84),
  };
}

function withHead(content: Buffer): Buffer {
  const head = Buffer.alloc(100);
  head.writeInt32BE(9994, 0);
  head.writeInt32BE((100 + content.length) / 2, 24);
  head.writeInt32LE(1000, 28);
  head.writeInt32LE(1, 32);
  for (const [i, edge] of [8, 47, 9, 47].entries()) head.writeDoubleLE(edge, 36 + 8 * i);
  return Buffer.concat([head, content]);
}

function dbfOf(fields: readonly DbfField[], rows: readonly (readonly string[])[]): Buffer {
  const head = Buffer.alloc(32 + 32 * fields.length + 1);
  head.writeUInt8(3, 0);
  head.set([121, 1, 1], 1);
  head.writeUInt32LE(rows.length, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(1 + fields.reduce((sum, { width }) => sum + width, 0), 10);
  for (const [i, { name, type, width }] of fields.entries()) {
    head.write(name + type.padStart(11 - name.length + 1, '\0'), 32 + 32 * i, 'latin1');
    head.writeUInt8(width, 32 + 32 * i + 16);
    // Numbers of type F have decimals.
    head.writeUInt8(type === 'F' ? 3 : 0, 32 + 32 * i + 17);
  }
  head.writeUInt8(0x0d, head.length - 1);
  const lines = rows.map((cells) =>
    fields.map(({ name, width }, i) => {
      const cell = (cells[i] ?? '').padStart(width);
      if (cell.length > width) throw new Error(`the cell "${cell}" is wider than the column ${name}`);
      return cell;
    }),
  );
  return Buffer.concat([head, Buffer.from(`${lines.map((cells) => ` ${cells.join('')}`).join('')}\x1a`, 'latin1')]);
}
