// The files of an upload → the one dataset in them, with its parts and what goes with it. Archives are opened; what they hold
// is looked at as if it had been sent.

import { extname, join } from 'node:path';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { ImportFailure } from '../import-failure.ts';
import type { Companions, TaskFile } from '../import-task.ts';
import type { Dataset } from './format.ts';
import { readHead } from './read-head.ts';
import { type FormatName, PART_EXTENSIONS, sniff, WORLD_EXTENSIONS } from './sniff.ts';
import { type UnpackLimits, unpack } from './unpack.ts';

export type Chosen = { readonly format: FormatName; readonly dataset: Dataset; readonly companions: Companions };

type Candidate = { readonly format: FormatName; readonly file: TaskFile & { readonly folder: string } };

export async function chooseDataset(
  files: readonly TaskFile[],
  folder: string,
  limits: UnpackLimits,
): Promise<Result<Chosen, ImportFailure>> {
  if (files.length === 0) return err({ kind: 'no-files' });
  const [first] = files;
  const only = files.filter(({ name }) => !PART_EXTENSIONS.has(extname(name).toLowerCase()));
  const archives: TaskFile[] = [];
  for (const file of only) if (sniff(await readHead(file.path), file.name).kind === 'zip') archives.push(file);
  const [archive, ...others] = archives;
  if (archive === undefined)
    return choose(
      files.map((file) => ({ ...file, folder: '' })),
      first?.name ?? '',
    );
  if (others.length > 0) {
    return err({ kind: 'several-datasets', file: archive.name, found: archives.map(({ name }) => name) });
  }
  if (await isWorkbook(archive)) return ok(asWorkbook(archive));
  const members = await unpack(archive, join(folder, 'unpacked'), limits);
  if (!members.ok) return members;
  if (members.value.length === 0) return err({ kind: 'nothing-in-archive', file: archive.name });
  // What was sent beside the archive goes with what is in it.
  const beside = files.filter((file) => file !== archive).map((file) => ({ ...file, folder: '' }));
  const chosen = await choose([...members.value, ...beside], archive.name);
  if (chosen.ok) return ok(underItsOwnName(chosen.value, archive));
  if (chosen.error.kind !== 'no-files') return chosen;
  return err({ kind: 'nothing-in-archive', file: archive.name });
}

/** What is in a KMZ is called doc.kml, or is several files: people know it by the name of the KMZ. */
function underItsOwnName(chosen: Chosen, archive: TaskFile): Chosen {
  const { base, others } = chosen.dataset;
  if (chosen.format !== 'kml' || (others === undefined && base.name.toLowerCase() !== 'doc.kml')) return chosen;
  const name = `${archive.name.slice(0, archive.name.length - extname(archive.name).length)}.kml`;
  return { ...chosen, dataset: { ...chosen.dataset, base: { ...base, name } } };
}

async function choose(
  files: readonly (TaskFile & { readonly folder: string })[],
  sent: string,
): Promise<Result<Chosen, ImportFailure>> {
  const candidates: Candidate[] = [];
  const styles: TaskFile[] = [];
  const descriptions: TaskFile[] = [];
  let refused: ImportFailure | undefined;
  for (const file of files) {
    const found = sniff(await readHead(file.path), file.name);
    switch (found.kind) {
      case 'part':
        break;
      case 'style':
        styles.push(file);
        break;
      case 'metadata':
        descriptions.push(file);
        break;
      case 'empty':
        refused ??= { kind: 'empty-file', file: file.name };
        break;
      case 'zip':
        if (await isWorkbook(file)) candidates.push({ format: 'excel', file });
        else refused ??= { kind: 'bad-archive', file: sent, fault: 'nested', member: file.name };
        break;
      case 'unsupported':
        // An .xml or .txt beside the data is nobody's business.
        if (!/\.(?:xml|txt|sld)$/i.test(file.name) || files.length === 1)
          refused ??= { kind: 'unsupported', file: file.name, what: found.what };
        break;
      case 'png':
      case 'jpeg':
        // Called something else, it is a mistake and no map.
        if (/\.(?:png|jpe?g)$/i.test(file.name)) candidates.push({ format: found.kind, file });
        else refused ??= { kind: 'unsupported', file: file.name, what: `a ${found.kind.toUpperCase()} image` };
        break;
      default:
        candidates.push({ format: found.kind, file });
    }
  }
  const [candidate, ...others] = withoutBystanders(candidates, files);
  if (candidate === undefined) return err(refused ?? missingBase(files, sent));
  const isKmz = extname(sent).toLowerCase() === '.kmz';
  const isSplit = isKmz && others.length > 0 && candidates.every(({ format }) => format === 'kml');
  if (others.length > 0 && !isSplit) {
    const found = [candidate, ...others].map(({ file }) => file.name);
    return err({ kind: 'several-datasets', file: sent, found });
  }
  return ok({
    format: candidate.format,
    dataset: {
      base: candidate.file,
      parts: partsOf(candidate.file, files),
      // The pieces of a KMZ, which its first file links together.
      ...(isSplit ? { others: others.map(({ file }) => file) } : {}),
    },
    companions: {
      ...(styles[0] === undefined ? {} : { style: styles[0].path }),
      ...(descriptions[0] === undefined ? {} : { metadata: descriptions[0].path }),
    },
  });
}

/** A readme.txt beside a shapefile looks like a table with one column; a picture of which no file says where it is, is an illustration. */
function withoutBystanders(
  candidates: readonly Candidate[],
  files: readonly (TaskFile & { readonly folder: string })[],
): readonly Candidate[] {
  const serious = candidates.filter(({ format, file }) =>
    format === 'csv'
      ? !/\.txt$/i.test(file.name)
      : (format !== 'png' && format !== 'jpeg') || files.some((other) => isWorldFileOf(other, file)),
  );
  return serious.length > 0 ? serious : candidates;
}

type Placed = { readonly name: string; readonly folder: string };

function isWorldFileOf(file: Placed, picture: Placed): boolean {
  return (
    WORLD_EXTENSIONS.has(extname(file.name).toLowerCase()) &&
    stemOf(file.name) === stemOf(picture.name) &&
    file.folder === picture.folder
  );
}

function missingBase(files: readonly TaskFile[], sent: string): ImportFailure {
  const isShapefile = files.some(({ name }) => /\.(?:dbf|shx)$/i.test(name));
  return isShapefile ? { kind: 'missing-part', file: sent, part: 'shp' } : { kind: 'no-files' };
}

/** Files of the same name beside it; without others to mix it up with, of any name. */
function partsOf(
  base: TaskFile & { readonly folder: string },
  files: readonly (TaskFile & { readonly folder: string })[],
): ReadonlyMap<string, TaskFile> {
  const stem = stemOf(base.name);
  const parts = new Map<string, TaskFile>();
  for (const exact of [true, false]) {
    for (const file of files) {
      const extension = extname(file.name).toLowerCase();
      if (!PART_EXTENSIONS.has(extension) || parts.has(extension)) continue;
      if (!exact || (stemOf(file.name) === stem && file.folder === base.folder)) parts.set(extension, file);
    }
  }
  return parts;
}

function stemOf(name: string): string {
  return name.slice(0, name.length - extname(name).length).toLowerCase();
}

function asWorkbook(file: TaskFile): Chosen {
  return { format: 'excel', dataset: { base: file, parts: new Map() }, companions: {} };
}

/** Office documents are archives; the first bytes name their first member. */
async function isWorkbook(file: TaskFile): Promise<boolean> {
  const head = (await readHead(file.path)).toString('latin1');
  return /\.xlsx$/i.test(file.name) || head.includes('xl/workbook.xml');
}
