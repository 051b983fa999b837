// What GDAL has to be told of a .dbf, or tells of it only in newer versions: its character set, as far as what is written about it and
// its bytes agree, and which of its columns are true or false.

import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { knownCharset } from './text-encoding.ts';

/** Language driver numbers of the file's header. */
const LANGUAGE_DRIVERS: Readonly<Record<number, string>> = {
  3: 'windows-1252',
  87: 'windows-1252',
  88: 'windows-1252',
  89: 'windows-1252',
  200: 'windows-1250',
  201: 'windows-1251',
  202: 'windows-1254',
  203: 'windows-1253',
  204: 'windows-1257',
  125: 'windows-1255',
  126: 'windows-1256',
  38: 'ibm866',
  101: 'ibm866',
  19: 'shift_jis',
  123: 'shift_jis',
  77: 'gbk',
  122: 'gbk',
  79: 'big5',
  120: 'big5',
  78: 'euc-kr',
  121: 'euc-kr',
};

/** Code pages of DOS that both kinds of GDAL know and browsers do not. */
const DOS_PAGES: Readonly<Record<string, readonly number[]>> = {
  cp850: [2, 10, 14, 16, 18, 20, 22, 26, 29, 37, 55],
  cp862: [],
};

/** What a browser would take for it, or a code page of DOS: `CP850`, `IBM 850`, `850`. Undefined: nobody knows the name. */
export function knownDbfCharset(label: string): string | undefined {
  const page = /^(?:cp|ibm|oem|dos)?[-_ ]?(\d{3})$/i.exec(label.trim())?.[1];
  const name = `cp${page}`;
  return Object.hasOwn(DOS_PAGES, name) ? name : knownCharset(label);
}

function byLanguageDriver(number: number): string {
  const page = Object.entries(DOS_PAGES).find(([, numbers]) => numbers.includes(number))?.[0];
  return page ?? LANGUAGE_DRIVERS[number] ?? 'windows-1252';
}

const SAMPLE_BYTES = 4 * 1024 * 1024;

/**
 * As GDAL takes it. `declared` is the word of the .cpg; `wished` what the sender said, which clients say without asking
 * anyone, so that it counts only where the bytes agree.
 */
export async function dbfCharset(
  path: string,
  declared: string | undefined,
  wished: string | undefined,
): Promise<string> {
  const written = declared === undefined || declared === '' ? undefined : knownDbfCharset(declared);
  if (written !== undefined) return gdalName(written);
  const sample = await readSample(path, SAMPLE_BYTES);
  const plain = sample.subarray(sample.length < 32 ? sample.length : sample.readUInt16LE(8));
  const looksUtf8 = isUtf8(withoutCutCharacter(plain));
  const hasHigh = plain.some((byte) => byte >= 0x80);
  const wish = wished === undefined ? undefined : knownDbfCharset(wished);
  if (wish !== undefined && wish !== 'utf-8') return gdalName(wish);
  if (!hasHigh || looksUtf8) return 'UTF-8';
  return gdalName(byLanguageDriver(sample[29] ?? 0));
}

const FIELD_BYTES = 32;
const END_OF_FIELDS = 0x0d;
const LOGICAL = 0x4c;

/** Names of the columns that hold true and false. Where `charset`, as GDAL calls it, is unknown to us, a name may come out wrong. */
export async function dbfBooleans(path: string, charset: string): Promise<readonly string[]> {
  const bytes = await readSample(path, 0xffff);
  const decoder = new TextDecoder(knownCharset(charset) ?? 'latin1');
  const names: string[] = [];
  for (let at = FIELD_BYTES; at + FIELD_BYTES <= bytes.length && bytes[at] !== END_OF_FIELDS; at += FIELD_BYTES) {
    if (bytes[at + 11] !== LOGICAL) continue;
    const name = bytes.subarray(at, at + 11);
    const end = name.indexOf(0);
    names.push(decoder.decode(end < 0 ? name : name.subarray(0, end)).trimEnd());
  }
  return names;
}

async function readSample(path: string, size: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(size);
    const { bytesRead } = await file.read(buffer, 0, size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function withoutCutCharacter(bytes: Buffer): Buffer {
  return bytes.length < SAMPLE_BYTES / 2 ? bytes : bytes.subarray(0, bytes.lastIndexOf(0x20) + 1);
}

/** iconv knows `CP1252`, browsers say `windows-1252`. */
function gdalName(charset: string): string {
  if (charset === 'utf-8') return 'UTF-8';
  return charset
    .replace(/^windows-(\d+)$/, 'CP$1')
    .replace(/^ibm(\d+)$/, 'CP$1')
    .toUpperCase();
}
