// KML, also out of a KMZ, whose files are one layer. Read here: GDAL's own reader that is always there knows names and descriptions only, not the extended
// data that other software writes.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ok } from '../../../../kernel/result.ts';
import type { TaskFile } from '../../import-task.ts';
import { startLayer } from '../dump-writer.ts';
import { failed, type ImportFormat } from '../format.ts';
import { KmlError, type Placemark, placemarks } from '../kml-placemarks.ts';
import { readHead } from '../read-head.ts';
import { knownCharset, markedCharset } from '../text-encoding.ts';
import { type ColumnGuess, guessColumn } from '../value-type.ts';

const WGS84 = 4326;
/** More than a table can have; the exact limit is known elsewhere. */
const MAX_NAMES = 5000;

export const kml: ImportFormat = {
  title: 'KML',
  async read({ base, others = [] }, context) {
    // One after the other: an archive may have more of them than the process may open at once.
    const files: Opened[] = [];
    for (const file of [base, ...others]) files.push(await opened(file));
    const half = files.reduce((sum, { size }) => sum + size, 0);
    let current = base;
    const read = async function* (offset: number, withHeights: boolean): AsyncGenerator<Placemark> {
      let before = offset;
      for (const { file, size, charset } of files) {
        current = file;
        const text = decoded(file.path, charset, (bytes) => context.progress(before + bytes, half * 2));
        yield* placemarks(text, withHeights);
        before += size;
      }
    };
    try {
      const columns = new Map<string, ColumnGuess>();
      const kinds = new Set<string>();
      let count = 0;
      let withHeights = false;
      for await (const { values, geometry, hasHeights } of read(0, false)) {
        count += 1;
        withHeights ||= hasHeights;
        if (geometry !== undefined) kinds.add(geometry.slice(0, geometry.indexOf('(')));
        for (const [name, value] of values) {
          const guess = columns.get(name) ?? guessColumn(false);
          if (columns.size < MAX_NAMES) columns.set(name, guess);
          // Names are texts, even where all of them are numbers.
          guess.look(name === 'name' || name === 'id' ? 'text' : value);
        }
      }
      if (count === 0) return failed({ kind: 'no-features', file: base.name });
      if (context.mode === 'inspect') return ok({ kind: 'layers', layers: [] });
      context.begin('UTF-8');
      const fields = [...columns].map(([name, guess]) => ({ name, type: guess.type.name }));
      const [kind] = kinds;
      const writer = startLayer(context.output, {
        name: base.name,
        srid: WGS84,
        geometry: kinds.size === 1 && (kind === 'POINT' || kind?.startsWith('MULTI') === true) ? kind : 'GEOMETRY',
        dimension: withHeights ? 3 : 2,
        fields,
      });
      for await (const { values, geometry } of read(half, withHeights)) {
        writer.row(
          geometry === undefined ? null : `SRID=${WGS84};${geometry}`,
          fields.map(({ name, type }) => {
            const value = values.get(name)?.replaceAll('\0', '');
            // Only a text can be there and empty.
            return value === undefined || (value === '' && type !== 'varchar') ? null : value;
          }),
        );
      }
      writer.end();
      return ok({ kind: 'vector', warnings: [] });
    } catch (error) {
      if (error instanceof KmlError)
        return failed({ kind: 'bad-row', file: current.name, line: error.line, said: error.message });
      throw error;
    }
  },
};

type Opened = { readonly file: TaskFile; readonly size: number; readonly charset: string };

async function opened(file: TaskFile): Promise<Opened> {
  const { size } = await stat(file.path);
  return { file, size, charset: xmlCharset(await readHead(file.path, 1024)) };
}

function xmlCharset(head: Buffer): string {
  const marked = markedCharset(head);
  const declared = /^[^<]*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']/.exec(head.toString('latin1'))?.[1];
  return marked ?? (declared === undefined ? undefined : knownCharset(declared)) ?? 'utf-8';
}

async function* decoded(path: string, charset: string, onRead: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder(charset);
  const stream = createReadStream(path, { highWaterMark: 1 << 18 });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    onRead(stream.bytesRead);
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}
