// A file that is made while it is read → an archive with it, and what is known beforehand.

import type { Readable } from 'node:stream';
import yazl from 'yazl';

/** What breaks off breaks the archive off. */
export function zipStream(name: string, content: Readable, others: ReadonlyMap<string, string> = new Map()): Readable {
  const zip = new yazl.ZipFile();
  const out = zip.outputStream as Readable;
  for (const [other, text] of others) zip.addBuffer(Buffer.from(text), other);
  zip.addReadStream(content, name);
  zip.end();
  content.once('error', (error) => out.destroy(error));
  out.once('close', () => content.destroy());
  return out;
}
