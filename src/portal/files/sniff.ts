// The first bytes of a file → its media type, by what is in it and not by what it is called. Pure.

/** How much of a file is looked at. */
export const HEAD_BYTES = 4096;

type Signature = { readonly at: number; readonly bytes: string; readonly mime: string };

/** Hexadecimal, `..` for any byte. The first that fits counts. */
const SIGNATURES: readonly Signature[] = [
  { at: 0, bytes: '89504e470d0a1a0a', mime: 'image/png' },
  { at: 0, bytes: 'ffd8ff', mime: 'image/jpeg' },
  { at: 0, bytes: '474946383761', mime: 'image/gif' },
  { at: 0, bytes: '474946383961', mime: 'image/gif' },
  { at: 0, bytes: '52494646........57454250', mime: 'image/webp' },
  { at: 0, bytes: '52494646........57415645', mime: 'audio/wav' },
  { at: 0, bytes: '52494646........41564920', mime: 'video/x-msvideo' },
  { at: 0, bytes: '49492a00', mime: 'image/tiff' },
  { at: 0, bytes: '4d4d002a', mime: 'image/tiff' },
  { at: 0, bytes: '49492b00', mime: 'image/tiff' },
  { at: 0, bytes: '4d4d002b', mime: 'image/tiff' },
  { at: 0, bytes: '424d', mime: 'image/bmp' },
  { at: 0, bytes: '255044462d', mime: 'application/pdf' },
  { at: 0, bytes: '504b0304', mime: 'application/zip' },
  { at: 0, bytes: '504b0506', mime: 'application/zip' },
  { at: 0, bytes: '1f8b', mime: 'application/gzip' },
  { at: 0, bytes: '377abcaf271c', mime: 'application/x-7z-compressed' },
  { at: 0, bytes: '526172211a07', mime: 'application/vnd.rar' },
  { at: 257, bytes: '7573746172', mime: 'application/x-tar' },
  { at: 0, bytes: 'd0cf11e0a1b11ae1', mime: 'application/x-ole-storage' },
  { at: 0, bytes: '494433', mime: 'audio/mpeg' },
  { at: 0, bytes: 'fffb', mime: 'audio/mpeg' },
  { at: 0, bytes: 'fff3', mime: 'audio/mpeg' },
  { at: 0, bytes: 'fff2', mime: 'audio/mpeg' },
  { at: 0, bytes: '4f676753', mime: 'audio/ogg' },
  { at: 0, bytes: '1a45dfa3', mime: 'video/webm' },
  { at: 4, bytes: '66747970336770', mime: 'video/3gpp' },
  { at: 4, bytes: '66747970', mime: 'video/mp4' },
  { at: 0, bytes: '464c5601', mime: 'video/x-flv' },
  { at: 0, bytes: '000001ba', mime: 'video/mpeg' },
  { at: 0, bytes: '000001b3', mime: 'video/mpeg' },
  { at: 0, bytes: '464f524d........41494646', mime: 'audio/aiff' },
  { at: 0, bytes: '464f524d........41494643', mime: 'audio/aiff' },
  { at: 0, bytes: '2e736e64', mime: 'audio/basic' },
  { at: 0, bytes: '41433130', mime: 'image/vnd.dwg' },
];

const COMPILED = SIGNATURES.map(({ at, bytes, mime }) => ({
  at,
  mime,
  bytes: (bytes.match(/../g) ?? []).map((pair) => (pair === '..' ? -1 : Number.parseInt(pair, 16))),
}));

/** Undefined: nothing known; not text either. */
export function sniff(head: Uint8Array): string | undefined {
  for (const { at, bytes, mime } of COMPILED) {
    if (bytes.every((byte, i) => (byte === -1 ? at + i < head.length : head[at + i] === byte)))
      return refined(mime, head);
  }
  return isText(head) ? textType(head) : undefined;
}

/** Office documents are archives with a certain first file. */
function refined(mime: string, head: Uint8Array): string {
  if (mime !== 'application/zip') return mime;
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, HEAD_BYTES)).toString('latin1');
  const declared = /mimetype(application\/vnd\.oasis\.opendocument\.[a-z]+)/.exec(text)?.[1];
  if (declared !== undefined) return declared;
  if (/\bword\//.test(text)) return 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  if (/\bxl\//.test(text)) return 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  if (/\bppt\//.test(text)) return 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
  return mime;
}

function isText(head: Uint8Array): boolean {
  for (const byte of head) {
    // Control characters that no text has; form feed, escape and the usual white space are fine.
    if (byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32) || byte === 127) return false;
  }
  return true;
}

function textType(head: Uint8Array): string {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 1024))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
    .toLowerCase();
  if (/^(?:<!doctype html|<html|<head|<body|<script|<iframe|<!--)/.test(start)) return 'text/html';
  if (/^<\?xml/.test(start))
    return /<svg[\s>]/.test(start) ? 'image/svg+xml' : /<html[\s>]/.test(start) ? 'text/html' : 'application/xml';
  if (/^<svg[\s>]/.test(start)) return 'image/svg+xml';
  return 'text/plain';
}
