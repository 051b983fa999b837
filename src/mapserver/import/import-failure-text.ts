// Failures of imports → sentences for the person who sent the file: which file, what is wrong with it, what to do.

import { assertNever } from '../../kernel/assert-never.ts';
import type { ArchiveFault, ImportFailure } from './import-failure.ts';

const SUPPORTED =
  'shapefile (zipped, or .shp with .dbf and .shx), GeoPackage, GeoJSON, KML, KMZ, CSV, Excel (.xlsx), GML, FlatGeobuf, GPX, GeoTIFF';

export function importFailureText(failure: ImportFailure): string {
  switch (failure.kind) {
    case 'no-files':
      return 'No file was sent.';
    case 'lost-file':
      return `${failure.file} is not stored any more: send it again.`;
    case 'empty-file':
      return `${failure.file} is empty.`;
    case 'unsupported':
      return failure.what === undefined
        ? `${failure.file} is in no format that can be imported. Supported are: ${SUPPORTED}.`
        : `${failure.file} is ${failure.what}, which cannot be imported. Supported are: ${SUPPORTED}.`;
    case 'bad-archive':
      return `${failure.file}: ${archiveText(failure.fault, failure.member)}`;
    case 'nothing-in-archive':
      return `Could not find any valid spatial file inside the uploaded zip ${failure.file}.`;
    case 'several-datasets':
      return `${failure.file} holds several datasets (${list(failure.found)}): send one at a time.`;
    case 'missing-part':
      return `Could not find ${failure.part} file, which is mandatory for shapefile uploads (${failure.file}).`;
    case 'forbidden-content':
      return `${failure.file} contains ${failure.what}, which is not read because it could lead to other files: remove it, and send the file again.`;
    case 'unreadable':
      return `${failure.file} cannot be read: ${sentence(failure.said)}`;
    case 'bad-encoding':
      return (
        `${failure.file} is not written in ${failure.charset}${failure.line === undefined ? '' : ` (line ${failure.line})`}: ` +
        'say in which character set it is, or save it as UTF-8.'
      );
    case 'no-table':
      return `${failure.file} is ${failure.what}: only tables (CSV, Excel) have a preview.`;
    case 'unknown-charset':
      return `The character set "${failure.charset}" is not known: use one like UTF-8, ISO-8859-1 or windows-1252.`;
    case 'unknown-crs':
      return `The coordinate system "${failure.crs}" is not known: use a code like EPSG:4326.`;
    case 'no-features':
      return `${failure.file} has no features.`;
    case 'no-geometry':
      return `${failure.file} has rows, but none of them has a place: there is no geometry to show.`;
    case 'too-many-columns':
      return `${failure.file} has ${failure.columns} columns or more; a layer can have ${failure.limit}. Remove those that are not needed.`;
    case 'bad-feature':
      return (
        `Feature ${failure.feature} of ${failure.file}${failure.layer === '' ? '' : ` (layer ${failure.layer})`}: ` +
        `${failure.column === undefined ? 'its geometry' : `the value of "${failure.column}"`} cannot be stored: ` +
        `${sentence(failure.said)} Correct or remove it, and send the file again.`
      );
    case 'bad-row':
      return `Line ${failure.line} of ${failure.file}: ${sentence(failure.said)} Correct or remove it, and send the file again.`;
    case 'outside-crs':
      return (
        `The coordinates of ${failure.file} (${failure.extent}) do not lie where ${failure.crs} is used` +
        `${failure.feature === undefined ? '' : `, beginning with feature ${failure.feature}`}: ` +
        'is it the right coordinate system? Add a .prj file, or say the right one.'
      );
    case 'not-georeferenced':
      return `${failure.file} does not say where on earth it is: add georeferencing (a picture has it in a world file, .wld), and send it again.`;
    case 'too-many-pixels':
      return (
        `${failure.file} has ${failure.width} × ${failure.height} pixels in ${failure.bands} band${failure.bands === 1 ? '' : 's'}, ` +
        `${failure.bytes} bytes in all; ${failure.limit} can be imported (import-max-unpacked). Cut it into parts, or reduce its resolution.`
      );
    case 'too-much-data':
      return `${failure.file} holds more data than the ${failure.limit} bytes that one import may make.`;
    case 'too-long':
      return `The import took longer than the ${failure.seconds} seconds that it may take.`;
    case 'too-much-memory':
      return `Reading the file needs more memory than the ${failure.bytes} bytes that one import may use.`;
    case 'crashed':
      return `${failure.file} could not be read to its end (${failure.how}): the file may be damaged, or the machine short of memory.`;
    case 'no-space':
      return 'There is no space left to store the data. Try again later, or tell an administrator.';
    case 'does-not-fit':
      return sentence(failure.said);
    case 'database':
      return `The database refused the data: ${sentence(failure.said)}`;
    default:
      return assertNever(failure);
  }
}

function archiveText(fault: ArchiveFault, member: string | undefined): string {
  const which = member === undefined ? '' : ` (${member})`;
  switch (fault) {
    case 'broken':
      return `Invalid zip file detected${which}: it is damaged, or was cut off on its way.`;
    case 'encrypted':
      return `it is protected by a password${which}; send it without one.`;
    case 'unsafe-name':
      return `the name of a member leads out of the archive${which}; pack it anew.`;
    case 'link':
      return `it contains a link to another file${which}; pack the file itself.`;
    case 'too-large':
      return `its content is larger than can be imported${which}.`;
    case 'too-many':
      return 'it has too many members; pack only the files of one layer.';
    case 'nested':
      return `it contains another archive${which}; unpack that first.`;
    default:
      return assertNever(fault);
  }
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
