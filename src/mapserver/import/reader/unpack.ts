// A zip → the members that can belong to a layer, in a folder, under names of ours. The archive is a stranger's: names that
// lead out of it, links, passwords, archives in it and sizes that are lies are refused; nothing is written before all
// names and sizes in its directory were looked at.

import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { diskFault } from '../../../kernel/disk-fault.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { ArchiveFault, ImportFailure } from '../import-failure.ts';
import type { TaskFile } from '../import-task.ts';
import { PART_EXTENSIONS, WORLD_EXTENSIONS } from './sniff.ts';

export type UnpackLimits = { readonly unpackedBytes: number; readonly members: number };

/** A member with the folder it was in: parts of a shapefile stand together. */
export type Member = TaskFile & { readonly folder: string };

const WANTED: ReadonlySet<string> = new Set([
  ...PART_EXTENSIONS,
  ...'.shp .gpkg .geojson .json .geojsonl .geojsons .ndjson .jsonl .kml .csv .tsv .txt .xlsx .gml .fgb .gpx .tif .tiff .geotif .geotiff .asc .img .sld .xml'.split(
    ' ',
  ),
]);
/** Most archives have them as illustrations and symbols: only those with a world file beside them are data. */
const PICTURES: ReadonlySet<string> = new Set(['.png', '.jpg', '.jpeg']);
const ARCHIVES: ReadonlySet<string> = new Set(['.zip', '.kmz', '.shz', '.7z', '.rar', '.gz', '.tar', '.tgz']);

const S_IFMT = 0o170000;
const S_IFLNK = 0o120000;

export async function unpack(
  archive: TaskFile,
  folder: string,
  limits: UnpackLimits,
): Promise<Result<readonly Member[], ImportFailure>> {
  const fail = (fault: ArchiveFault, member?: string): Result<never, ImportFailure> =>
    err({ kind: 'bad-archive', file: archive.name, fault, ...(member === undefined ? {} : { member: shown(member) }) });
  let zip: ZipFile;
  try {
    zip = await openPromise(archive.path, { autoClose: false, lazyEntries: true, validateEntrySizes: true });
  } catch {
    return fail('broken');
  }
  try {
    if (zip.entryCount > limits.members) return fail('too-many');
    const entries: { readonly entry: Entry; readonly fileName: string }[] = [];
    const pictures: { readonly entry: Entry; readonly fileName: string }[] = [];
    let declared = 0;
    for await (const entry of zip.eachEntry()) {
      const fileName = nameOf(entry);
      if (isFolder(fileName) || isJunk(fileName)) continue;
      if (((entry.externalFileAttributes >>> 16) & S_IFMT) === S_IFLNK) return fail('link', fileName);
      if (entry.isEncrypted()) return fail('encrypted', fileName);
      const extension = extname(fileName).toLowerCase();
      if (ARCHIVES.has(extension)) return fail('nested', fileName);
      if (PICTURES.has(extension)) pictures.push({ entry, fileName });
      if (!WANTED.has(extension)) continue;
      declared += entry.uncompressedSize;
      if (declared > limits.unpackedBytes) return fail('too-large', fileName);
      entries.push({ entry, fileName });
    }
    const stemOf = (fileName: string): string => fileName.slice(0, -extname(fileName).length).toLowerCase();
    const placed = new Set(
      entries
        .filter(({ fileName }) => WORLD_EXTENSIONS.has(extname(fileName).toLowerCase()))
        .map(({ fileName }) => stemOf(fileName)),
    );
    for (const picture of pictures.filter(({ fileName }) => placed.has(stemOf(fileName)))) {
      declared += picture.entry.uncompressedSize;
      if (declared > limits.unpackedBytes) return fail('too-large', picture.fileName);
      entries.push(picture);
    }
    await mkdir(folder, { recursive: true });
    const members: Member[] = [];
    for (const [i, { entry, fileName }] of entries.entries()) {
      // The extension is from a list of ours; the rest of the name is not used.
      const path = join(folder, `m${i}${extname(fileName).toLowerCase()}`);
      try {
        await pipeline(
          await zip.openReadStreamPromise(entry),
          atMost(entry.uncompressedSize),
          createWriteStream(path, { flags: 'wx', mode: 0o600 }),
        );
      } catch (error) {
        if (diskFault(error) === 'no-space') return err({ kind: 'no-space' });
        return fail('broken', fileName);
      }
      const name = basename(fileName);
      members.push({ name, path, folder: fileName.slice(0, -name.length) });
    }
    return ok(members);
  } catch (error) {
    return diskFault(error) === 'no-space'
      ? err({ kind: 'no-space' })
      : fail(isUnsafeName(error) ? 'unsafe-name' : 'broken');
  } finally {
    zip.close();
  }
}

/** Ends the stream with an error where the content is longer than the archive said. */
function atMost(bytes: number): Transform {
  let left = bytes;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(new Error('longer than it says'));
      else done(null, chunk);
    },
  });
}

const IS_UTF8 = 0x800;
const UNICODE_PATH = 0x7075;

/**
 * By the book, a name that is not marked as UTF-8 is in code page 437. macOS and `zip` on Linux write UTF-8 all the same,
 * and text in another encoding is hardly ever valid UTF-8 by chance. Separators are ASCII in both, so nothing is
 * read as a path here that was none when it was checked.
 */
function nameOf({ fileName, fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  if ((generalPurposeBitFlag & IS_UTF8) !== 0 || extraFields.some(({ id }) => id === UNICODE_PATH)) return fileName;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fileNameRaw).replaceAll('\\', '/');
  } catch {
    return fileName;
  }
}

function isFolder(name: string): boolean {
  return name.endsWith('/');
}

/** What operating systems add. */
function isJunk(name: string): boolean {
  return /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i.test(name);
}

function isUnsafeName(error: unknown): boolean {
  return (
    error instanceof Error && /invalid relative path|absolute path|invalid characters in fileName/.test(error.message)
  );
}

function shown(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the name is a stranger's, and shown to people
  return name.replace(/[\u0000-\u001f\u007f]/g, '?').slice(0, 200);
}
