// A workbook (.xlsx) before GDAL opens it. It is an archive of XML files: what is refused in archives is refused here, and so is a
// document type in any of them.

import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { ArchiveFault, ImportFailure } from '../import-failure.ts';
import type { TaskFile } from '../import-task.ts';
import { HEAD_BYTES } from './sniff.ts';
import { markedCharset } from './text-encoding.ts';
import type { UnpackLimits } from './unpack.ts';
import { checkXmlProlog } from './xml-prolog.ts';

/** Undefined: nothing is wrong with it. */
export async function workbookFault(file: TaskFile, limits: UnpackLimits): Promise<ImportFailure | undefined> {
  const fail = (fault: ArchiveFault, member?: string): ImportFailure => ({
    kind: 'bad-archive',
    file: file.name,
    fault,
    ...(member === undefined ? {} : { member }),
  });
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(file.path, { autoClose: false, lazyEntries: true, validateEntrySizes: true });
    if (zip.entryCount > limits.members) return fail('too-many');
    let declared = 0;
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) return fail('encrypted', entry.fileName);
      declared += entry.uncompressedSize;
      if (declared > limits.unpackedBytes) return fail('too-large', entry.fileName);
      if (!/\.(?:xml|rels|vml)$/i.test(entry.fileName)) continue;
      const head = await headOf(zip, entry);
      if (head.length === 0) continue;
      const judged = checkXmlProlog(
        new TextDecoder(markedCharset(head) ?? 'utf-8').decode(head),
        head.length < HEAD_BYTES,
      );
      if (!judged.ok)
        return { kind: 'forbidden-content', file: file.name, what: `${judged.error} in ${entry.fileName}` };
    }
    return undefined;
  } catch {
    return fail('broken');
  } finally {
    zip?.close();
  }
}

async function headOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const stream = await zip.openReadStreamPromise(entry);
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, HEAD_BYTES);
}
