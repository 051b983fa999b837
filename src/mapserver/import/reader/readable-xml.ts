// An XML file that GDAL may open: no document type, one character set, not more kinds of elements than can be columns.

import { join } from 'node:path';
import type { Result } from '../../../kernel/result.ts';
import type { TaskFile } from '../import-task.ts';
import { MAX_COLUMNS } from '../max-columns.ts';
import { failed, type ReadContext, type Stop } from './format.ts';
import { countXmlPaths } from './xml-paths.ts';
import { plainXml } from './xml-prolog.ts';

/** Not every element is a column: geometries, wrappers and metadata are none. */
const MAX_PATHS = 10 * MAX_COLUMNS;

export async function readableXml(file: TaskFile, { folder }: ReadContext): Promise<Result<TaskFile, Stop>> {
  const plain = await plainXml(file, join(folder, 'utf8.xml'));
  if (!plain.ok) return failed(plain.error);
  const paths = await countXmlPaths(plain.value.path, MAX_PATHS);
  if (paths > MAX_PATHS)
    return failed({ kind: 'too-many-columns', file: file.name, columns: paths, limit: MAX_COLUMNS });
  return plain;
}
