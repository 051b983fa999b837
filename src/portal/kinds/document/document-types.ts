// Which files can be documents, what kind of document each is, and what has to be in it. Pure.

import type { DOC_TYPES } from '../item/doc-types.ts';

export type DocType = (typeof DOC_TYPES)[number];

type Kind = {
  readonly type: DocType;
  /** Media types its content may turn out to be. */
  readonly contents: readonly string[];
  /** What it is served as, where the content alone does not say. */
  readonly mime?: string;
};

const PLAIN = ['text/plain'];
const MARKUP = ['text/plain', 'application/xml'];
const OLE = ['application/x-ole-storage'];
const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const OPEN = 'application/vnd.oasis.opendocument.';
const zipped = (mime: string): readonly string[] => [mime, 'application/zip'];
const unknown: readonly string[] = [];

/** By the ending of the name. No contents: nobody can tell, so anything but text with something active in it. */
const KINDS: Readonly<Record<string, Kind>> = {
  txt: { type: 'text', contents: PLAIN },
  log: { type: 'text', contents: PLAIN },
  doc: { type: 'text', contents: OLE, mime: 'application/msword' },
  docx: {
    type: 'text',
    contents: zipped(`${OFFICE}wordprocessingml.document`),
    mime: `${OFFICE}wordprocessingml.document`,
  },
  ods: { type: 'text', contents: zipped(`${OPEN}spreadsheet`), mime: `${OPEN}spreadsheet` },
  odt: { type: 'text', contents: zipped(`${OPEN}text`), mime: `${OPEN}text` },
  sld: { type: 'text', contents: MARKUP, mime: 'application/vnd.ogc.sld+xml' },
  qml: { type: 'text', contents: [...MARKUP, 'text/html'], mime: 'application/xml' },
  xls: { type: 'text', contents: OLE, mime: 'application/vnd.ms-excel' },
  xlsx: { type: 'text', contents: zipped(`${OFFICE}spreadsheetml.sheet`), mime: `${OFFICE}spreadsheetml.sheet` },
  xml: { type: 'text', contents: MARKUP, mime: 'application/xml' },
  bm: { type: 'image', contents: unknown },
  bmp: { type: 'image', contents: ['image/bmp'] },
  dwg: { type: 'archive', contents: ['image/vnd.dwg'] },
  dxf: { type: 'image', contents: PLAIN, mime: 'image/vnd.dxf' },
  fif: { type: 'image', contents: unknown },
  gif: { type: 'image', contents: ['image/gif'] },
  jpg: { type: 'image', contents: ['image/jpeg'] },
  jpe: { type: 'image', contents: ['image/jpeg'] },
  jpeg: { type: 'image', contents: ['image/jpeg'] },
  png: { type: 'image', contents: ['image/png'] },
  tif: { type: 'archive', contents: ['image/tiff'] },
  tiff: { type: 'archive', contents: ['image/tiff'] },
  pbm: { type: 'image', contents: unknown, mime: 'image/x-portable-bitmap' },
  odp: { type: 'presentation', contents: zipped(`${OPEN}presentation`), mime: `${OPEN}presentation` },
  ppt: { type: 'presentation', contents: OLE, mime: 'application/vnd.ms-powerpoint' },
  pptx: {
    type: 'presentation',
    contents: zipped(`${OFFICE}presentationml.presentation`),
    mime: `${OFFICE}presentationml.presentation`,
  },
  pdf: { type: 'presentation', contents: ['application/pdf'] },
  tar: { type: 'archive', contents: ['application/x-tar'] },
  tgz: { type: 'archive', contents: ['application/gzip'] },
  rar: { type: 'archive', contents: ['application/vnd.rar'] },
  gz: { type: 'archive', contents: ['application/gzip'] },
  '7z': { type: 'archive', contents: ['application/x-7z-compressed'] },
  zip: { type: 'archive', contents: ['application/zip'] },
  aif: { type: 'audio', contents: ['audio/aiff'] },
  aifc: { type: 'audio', contents: ['audio/aiff'] },
  aiff: { type: 'audio', contents: ['audio/aiff'] },
  au: { type: 'audio', contents: ['audio/basic'] },
  mp3: { type: 'audio', contents: ['audio/mpeg'] },
  mpga: { type: 'audio', contents: ['audio/mpeg'] },
  wav: { type: 'audio', contents: ['audio/wav'] },
  afl: { type: 'video', contents: unknown },
  avi: { type: 'video', contents: ['video/x-msvideo'] },
  avs: { type: 'video', contents: unknown },
  fli: { type: 'video', contents: unknown },
  mp2: { type: 'video', contents: ['audio/mpeg', 'video/mpeg'] },
  mp4: { type: 'video', contents: ['video/mp4', 'video/3gpp'] },
  mpg: { type: 'video', contents: ['video/mpeg'] },
  ogg: { type: 'video', contents: ['audio/ogg'] },
  webm: { type: 'video', contents: ['video/webm'] },
  '3gp': { type: 'video', contents: ['video/3gpp', 'video/mp4'] },
  flv: { type: 'video', contents: ['video/x-flv'] },
  vdo: { type: 'video', contents: unknown },
};

/** The ending of a file name, in lower case and without its dot; empty: there is none. */
export function extensionOf(name: string): string {
  return /\.([A-Za-z0-9]{1,128})$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

export function docTypeOf(extension: string): DocType {
  return kindOf(extension)?.type ?? 'other';
}

export type FileCheck =
  | { readonly ok: true; readonly mime: string; readonly type: DocType }
  | { readonly ok: false; readonly complaint: string };

const ACTIVE: ReadonlySet<string> = new Set(['text/html', 'image/svg+xml']);

/** `content`: the media type that was sniffed, if any. */
export function checkDocument(extension: string, content: string | undefined): FileCheck {
  const kind = kindOf(extension);
  if (kind === undefined) return { ok: false, complaint: `Files of the type "${extension}" cannot be documents.` };
  const fits =
    kind.contents.length === 0
      ? content === undefined || !ACTIVE.has(content)
      : content !== undefined && kind.contents.includes(content);
  if (!fits) return { ok: false, complaint: `The content of the file is not what its name says: .${extension}` };
  return { ok: true, type: kind.type, mime: kind.mime ?? content ?? 'application/octet-stream' };
}

function kindOf(extension: string): Kind | undefined {
  return Object.hasOwn(KINDS, extension) ? KINDS[extension] : undefined;
}
