// Shapefiles: a .shp with its .dbf and .shx. The texts of the .dbf are in whatever character set it was made with.

import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskFile } from '../../import-task.ts';
import { dbfBooleans, dbfCharset, knownDbfCharset } from '../dbf.ts';
import { asks, failed, type ImportFormat, readByGdal } from '../format.ts';
import { readHead } from '../read-head.ts';

/** Only these are looked at. */
const PARTS = ['.shx', '.dbf', '.prj', '.cpg'] as const;

export const shapefile: ImportFormat = {
  title: 'ESRI Shapefile',
  async read({ base, parts }, context) {
    for (const part of ['dbf', 'shx'] as const) {
      if (!parts.has(`.${part}`)) return failed({ kind: 'missing-part', file: base.name, part });
    }
    // GDAL finds the parts by their name.
    const place = async (file: TaskFile, extension: string): Promise<TaskFile> => {
      const path = join(context.folder, `data${extension}`);
      await rename(file.path, path);
      return { name: file.name, path };
    };
    const shp = await place(base, '.shp');
    const placed = new Map<string, TaskFile>();
    for (const extension of PARTS) {
      const part = parts.get(extension);
      // What the .cpg says is passed on in another way.
      if (part !== undefined && extension !== '.cpg') placed.set(extension, await place(part, extension));
    }
    const projection = placed.get('.prj');
    const saysWhere = projection !== undefined && (await readHead(projection.path)).toString('latin1').trim() !== '';
    if (!saysWhere && context.answers.crs === undefined) return asks({ kind: 'crs', file: base.name });

    const cpg = parts.get('.cpg');
    const declared = cpg === undefined ? undefined : (await readHead(cpg.path)).toString('latin1').trim();
    const dbf = placed.get('.dbf')?.path ?? '';
    const charset = await dbfCharset(dbf, declared, context.answers.charset);
    if (context.answers.charset !== undefined && knownDbfCharset(context.answers.charset) === undefined)
      return failed({ kind: 'unknown-charset', charset: context.answers.charset });
    const types = (await dbfBooleans(dbf, charset)).map((name) => [name, 'boolean'] as const);
    return readByGdal(
      { base: shp, parts: placed },
      context,
      { driver: 'ESRI Shapefile', openOptions: [`ENCODING=${charset}`] },
      { extension: '.shp', charset, types },
    );
  },
};
