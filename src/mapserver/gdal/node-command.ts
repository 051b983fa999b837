// How a script of ours is run in a process of its own, and what of the disk that process has to read to run: the script with its
// neighbours, and the packages. Not the folder of the program as a whole, where its settings and data may lie.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Compiled, a script is JavaScript; from the sources it needs the loader that this process was started with. */
export function nodeCommand(script: string, heapMegabytes: number | undefined): readonly string[] {
  return [
    process.execPath,
    ...(heapMegabytes === undefined ? [] : [`--max-old-space-size=${heapMegabytes}`]),
    ...(isSource(script) ? ['--import', pathToFileURL(createRequire(script).resolve('tsx')).href] : []),
    script,
  ];
}

function isSource(script: string): boolean {
  return script.endsWith('.ts');
}

export function readByScript(script: string): readonly string[] {
  const ancestors = ancestorsOf(script);
  const root = ancestors.find((folder) => existsSync(join(folder, 'package.json')));
  const packages = ancestors.map((folder) => join(folder, 'node_modules')).filter((folder) => existsSync(folder));
  if (root === undefined) return [dirname(script), ...packages];
  const [top = ''] = relative(root, script).split(sep);
  return [
    join(root, 'package.json'),
    join(root, top),
    ...(isSource(script) ? [join(root, 'tsconfig.json')] : []),
    ...packages,
  ];
}

function ancestorsOf(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...ancestorsOf(parent)];
}
