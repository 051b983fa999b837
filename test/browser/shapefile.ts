// A shapefile of squares, made here: .shp, .shx, .dbf and .prj, as people drop them.

export type Square = { readonly name: string; readonly value: number; readonly x: number; readonly y: number };

export function makeShapefile(
  squares: readonly Square[],
  size = 2,
): Readonly<Record<'shp' | 'shx' | 'dbf' | 'prj', Buffer>> {
  const content = (44 + 4 + 5 * 16) / 2;
  const records = squares.map(({ x, y }, i) => {
    const record = Buffer.alloc(8 + content * 2);
    record.writeInt32BE(i + 1, 0);
    record.writeInt32BE(content, 4);
    record.writeInt32LE(5, 8);
    [x, y, x + size, y + size].forEach((edge, j) => {
      record.writeDoubleLE(edge, 12 + j * 8);
    });
    record.writeInt32LE(1, 44);
    record.writeInt32LE(5, 48);
    record.writeInt32LE(0, 52);
    // Outer rings run clockwise.
    const ring = [
      [x, y],
      [x, y + size],
      [x + size, y + size],
      [x + size, y],
      [x, y],
    ];
    ring.flat().forEach((ordinate, j) => {
      record.writeDoubleLE(ordinate, 56 + j * 8);
    });
    return record;
  });
  const head = (bytes: number): Buffer => {
    const header = Buffer.alloc(100);
    header.writeInt32BE(9994, 0);
    header.writeInt32BE(bytes / 2, 24);
    header.writeInt32LE(1000, 28);
    header.writeInt32LE(5, 32);
    const [xs, ys] = [squares.map(({ x }) => x), squares.map(({ y }) => y)];
    [Math.min(...xs), Math.min(...ys), Math.max(...xs) + size, Math.max(...ys) + size].forEach((edge, i) => {
      header.writeDoubleLE(edge, 36 + i * 8);
    });
    return header;
  };
  const shp = Buffer.concat(records);
  const shx = Buffer.alloc(records.length * 8);
  records.forEach((record, i) => {
    shx.writeInt32BE((100 + i * record.length) / 2, i * 8);
    shx.writeInt32BE(content, i * 8 + 4);
  });
  return {
    shp: Buffer.concat([head(100 + shp.length), shp]),
    shx: Buffer.concat([head(100 + shx.length), shx]),
    dbf: makeDbf(squares),
    prj: Buffer.from(
      'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
    ),
  };
}

function makeDbf(squares: readonly Square[]): Buffer {
  const fields = [
    { name: 'NAME', type: 'C', length: 20 },
    { name: 'VALUE', type: 'N', length: 10 },
  ];
  const headLength = 32 + fields.length * 32 + 1;
  const recordLength = 1 + fields.reduce((sum, { length }) => sum + length, 0);
  const head = Buffer.alloc(headLength);
  head.writeUInt8(3, 0);
  head.set([124, 1, 1], 1);
  head.writeUInt32LE(squares.length, 4);
  head.writeUInt16LE(headLength, 8);
  head.writeUInt16LE(recordLength, 10);
  fields.forEach(({ name, type, length }, i) => {
    head.write(name, 32 + i * 32, 'latin1');
    head.write(type, 32 + i * 32 + 11, 'latin1');
    head.writeUInt8(length, 32 + i * 32 + 16);
  });
  head.writeUInt8(13, headLength - 1);
  const rows = squares.map(({ name, value }) =>
    Buffer.from(` ${name.padEnd(20)}${String(value).padStart(10)}`, 'latin1'),
  );
  return Buffer.concat([head, ...rows, Buffer.from([26])]);
}
