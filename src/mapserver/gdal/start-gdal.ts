// GDAL compiled to WebAssembly, started in this process: what it says is kept as lines, and it sees one folder as `/work`, nothing
// else of the file system.

import { createRequire } from 'node:module';
import { dirname, relative } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/** What we use of the compiled module. */
type GdalModule = {
  readonly FS: {
    mkdir(path: string): void;
    mount(type: unknown, options: { root: string }, path: string): void;
    makedev(major: number, minor: number): number;
    registerDevice(device: number, ops: Record<string, unknown>): void;
    mkdev(path: string, device: number): void;
  };
  readonly NODEFS: { readonly stream_ops: StreamOps };
  readonly HEAPU32: Uint32Array;
  _malloc(bytes: number): number;
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, pointer: number, bytes: number): void;
  setValue(pointer: number, value: number, type: string): void;
  ccall(name: string, result: string | null, types: readonly string[], values: readonly unknown[]): unknown;
};
type StreamOps = {
  write(
    stream: { readonly path?: string },
    buffer: Int8Array,
    offset: number,
    length: number,
    position: number,
  ): number;
  read(stream: { readonly path?: string }, buffer: Int8Array, offset: number, length: number, position: number): number;
};
type Start = (options: {
  path: string;
  env: Readonly<Record<string, string>>;
  logHandler: (line: string) => void;
  errorHandler: (line: string) => void;
}) => Promise<{ readonly Module: GdalModule }>;

export type RunningGdal = {
  readonly module: GdalModule;
  /** What it has said, to be taken by whoever reads it. */
  readonly lines: string[];
  /** Calls a function that returns a number: a pointer, mostly. */
  call(name: string, types: readonly string[], values: readonly unknown[]): number;
  /** A list of texts as its functions take them. */
  strings(list: readonly string[]): number;
};

/** Where the folder is for it. */
export const WORK = '/work';
const MAX_LINES = 1000;

/**
 * A start uses few of the module's 27,000 functions, once: each is validated when it is first called, and compiled by the
 * optimizing compiler later than usual. A version of Node that lacks a flag says so on stderr and goes on without it.
 */
const QUICK_START = ['--wasm-lazy-validation', '--wasm-tiering-budget=18000000'];

export async function startGdal(folder: string, env: Readonly<Record<string, string>>): Promise<RunningGdal> {
  for (const flag of QUICK_START) setFlagsFromString(flag);
  const require = createRequire(import.meta.url);
  const home = dirname(require.resolve('gdal3.js/dist/package/gdal3WebAssembly.wasm'));
  const start = require('gdal3.js/node.js') as Start;
  const lines: string[] = [];
  const keep = (line: string): void => {
    if (lines.length < MAX_LINES) lines.push(line);
  };
  // It puts `./` before the path that it is given.
  const path = relative(process.cwd(), home);
  const { Module: module } = await start({ path, env, logHandler: keep, errorHandler: keep });
  module.FS.mkdir(WORK);
  module.FS.mount(module.NODEFS, { root: folder }, WORK);
  return {
    module,
    lines,
    call: (name, types, values) => Number(module.ccall(name, 'number', types, values)),
    strings(list) {
      const pointers = list.map((text) => {
        const bytes = module.lengthBytesUTF8(text) + 1;
        const pointer = module._malloc(bytes);
        module.stringToUTF8(text, pointer, bytes);
        return pointer;
      });
      const array = module._malloc((pointers.length + 1) * 4);
      module.HEAPU32.set([...pointers, 0], array / 4);
      return array;
    },
  };
}
