// GML, with its schema where one was sent along: that says of what type the columns are, which the data itself does not.

import { readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ImportFormat, readByGdal } from '../format.ts';
import { readableXml } from '../readable-xml.ts';

const MAX_SCHEMA = 5_000_000;

export const gml: ImportFormat = {
  title: 'GML',
  async read({ base, parts }, context) {
    const plain = await readableXml(base, context);
    if (!plain.ok) return plain;
    const schema = parts.get('.xsd');
    // GDAL finds it by its name. Without it, it goes through the data once to learn the columns, and once more to read.
    const isUsed = schema !== undefined && (await isPlainSchema(schema.path));
    if (isUsed) await rename(schema.path, join(context.folder, 'data.xsd'));
    return readByGdal(
      { base: plain.value, parts: new Map() },
      context,
      // Neither schemas from elsewhere nor files beside it.
      { driver: 'GML', openOptions: ['DOWNLOAD_SCHEMA=NO', 'WRITE_GFS=NO'] },
      // Newer versions take the corners of a feature's own box for columns.
      { extension: '.gml', passes: isUsed ? 1 : 2, ignored: ['lowerCorner', 'upperCorner'] },
    );
  },
};

/** One that names no other files to be read, and has no entities. */
async function isPlainSchema(path: string): Promise<boolean> {
  if ((await stat(path)).size > MAX_SCHEMA) return false;
  const text = (await readFile(path)).toString('latin1');
  return (
    !text.includes('\0') &&
    /<(?:\w+:)?schema\b/.test(text) &&
    !/<!(?:DOCTYPE|ENTITY)|<(?:[\w-]+:)?(?:include|redefine|override)\b/i.test(text)
  );
}
