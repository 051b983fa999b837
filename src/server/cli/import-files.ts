// Paths on the command line → what is imported together: a shapefile with the files beside it, everything else by itself.

import { basename, extname } from 'node:path';

export type ImportFiles = { readonly base: string; readonly others: readonly string[] };

/** What goes with a .shp of the same name. */
const PARTS: readonly string[] = ['.dbf', '.shx', '.prj', '.cpg', '.sld', '.xml'];

/** `neighbours`: names in the folder of a path. */
export async function groupFiles(
  paths: readonly string[],
  neighbours: (path: string) => Promise<readonly string[]>,
): Promise<readonly ImportFiles[]> {
  const groups: ImportFiles[] = [];
  const shapefiles = new Set(paths.filter(isShapefile).map(stem));
  for (const path of paths) {
    if (isShapefile(path)) {
      const own = basename(path);
      const folder = path.slice(0, path.length - own.length);
      const others = (await neighbours(path))
        .filter((name) => stem(name) === stem(own) && PARTS.includes(extname(name).toLowerCase()))
        .map((name) => folder + name);
      groups.push({ base: path, others });
    } else if (!(PARTS.includes(extname(path).toLowerCase()) && shapefiles.has(stem(path)))) {
      groups.push({ base: path, others: [] });
    }
  }
  return groups;
}

function isShapefile(path: string): boolean {
  return extname(path).toLowerCase() === '.shp';
}

function stem(path: string): string {
  return path.slice(0, path.length - extname(path).length).toLowerCase();
}
