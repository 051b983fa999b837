// Layers that are read here and not by GDAL → the same dump that GDAL writes: a header, then lines of COPY text.

import { writeSync } from 'node:fs';
import { GEOMETRY_COLUMN } from '../pgdump-reader.ts';

export type DumpField = { readonly name: string; readonly type: string };

export type DumpWriter = {
  /** A value is text, or null; the geometry is EWKB in hexadecimal or EWKT. */
  row(geometry: string | null, values: readonly (string | null)[]): void;
  end(): void;
};

const FLUSH_CHARS = 64 * 1024;

export function startLayer(
  output: number,
  layer: {
    readonly name: string;
    readonly srid: number;
    readonly geometry: string;
    readonly dimension: number;
    readonly fields: readonly DumpField[];
  },
): DumpWriter {
  const table = `"public".${quote(layer.name)}`;
  let pending = [
    'SET standard_conforming_strings = ON;',
    `CREATE TABLE ${table}();`,
    `SELECT AddGeometryColumn('public','t','${GEOMETRY_COLUMN}',${layer.srid},'${layer.geometry}',${layer.dimension});`,
    ...layer.fields.map(({ name, type }) => `ALTER TABLE ${table} ADD COLUMN ${quote(name)} ${type};`),
    `COPY ${table} (${[GEOMETRY_COLUMN, ...layer.fields.map(({ name }) => name)].map(quote).join(', ')}) FROM STDIN;`,
    '',
  ].join('\n');
  const flush = (): void => {
    writeAll(output, Buffer.from(pending));
    pending = '';
  };
  return {
    row(geometry, values) {
      pending += geometry ?? '\\N';
      for (const value of values) pending += `\t${value === null ? '\\N' : escaped(value)}`;
      pending += '\n';
      if (pending.length >= FLUSH_CHARS) flush();
    },
    end() {
      pending += '\\.\n';
      flush();
    },
  };
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escaped(value: string): string {
  return /[\\\t\n\r]/.test(value) ? value.replace(/[\\\t\n\r]/g, (char) => ESCAPED[char] ?? char) : value;
}

/** To the last byte, however slowly the other end takes them: the pipe holds us back. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at, bytes.length - at);
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EAGAIN') throw error;
      Atomics.wait(PAUSE, 0, 0, 5);
    }
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));
