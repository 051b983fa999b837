// What stands before the root element of an XML file: where a document type would be, which can name other files and addresses to be
// read. Only the beginning is looked at: behind it no parser takes a document type. A file in another character set than UTF-8 is
// written anew in it, so that there is one way only to read it, and the parser of GDAL that knows nothing of external entities does.

import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { ImportFailure } from '../import-failure.ts';
import type { TaskFile } from '../import-task.ts';
import { readHead } from './read-head.ts';
import { HEAD_BYTES } from './sniff.ts';
import { knownCharset, markedCharset } from './text-encoding.ts';

/** The file itself, or `copy`: the same in UTF-8. */
export async function plainXml(file: TaskFile, copy: string): Promise<Result<TaskFile, ImportFailure>> {
  const head = await readHead(file.path);
  const marked = markedCharset(head);
  const declared = declaredCharset(head, marked);
  const charset = marked ?? (declared === undefined ? 'utf-8' : knownCharset(declared));
  if (charset === undefined) return err({ kind: 'unknown-charset', charset: (declared ?? '').slice(0, 50) });
  const prolog = checkXmlProlog(new TextDecoder(charset).decode(head), head.length < HEAD_BYTES);
  if (!prolog.ok) return err({ kind: 'forbidden-content', file: file.name, what: prolog.error });
  const isPlain = charset === 'utf-8' && (declared === undefined || knownCharset(declared) === 'utf-8');
  if (isPlain) return ok(file);
  await rewrite(file.path, copy, charset);
  return ok({ name: file.name, path: copy });
}

function declaredCharset(head: Buffer, marked: ReturnType<typeof markedCharset>): string | undefined {
  const start = new TextDecoder(marked ?? 'latin1').decode(head.subarray(0, 1024));
  return /^<\?xml[^>]{0,200}?\bencoding\s{0,20}=\s{0,20}["']([^"'<>]{1,60})["']/.exec(start)?.[1];
}

/** Ok: the root element was reached and nothing else was there. Else: what was. */
export function checkXmlProlog(text: string, isWhole = true): Result<undefined, string> {
  if (text.includes('\0')) return err('zero bytes');
  let at = 0;
  for (;;) {
    while (' \t\r\n'.includes(text[at] ?? '<')) at += 1;
    if (text.startsWith('<?', at)) at = endOf(text, '?>', at);
    else if (text.startsWith('<!--', at)) at = endOf(text, '-->', at + 4);
    else break;
    if (at < 0) return err(isWhole ? 'nothing but comments' : 'a beginning that is too long');
  }
  if (text.startsWith('<!', at)) return err('a document type (DOCTYPE)');
  return /^<[^\s<>!?/&"'=]/.test(text.slice(at, at + 2)) ? ok(undefined) : err('a beginning that is not XML');
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? -1 : found + mark.length;
}

/** Without its declaration, which names the character set that it was in. */
async function rewrite(from: string, to: string, charset: string): Promise<void> {
  const decoder = new TextDecoder(charset);
  let start: string | undefined = '';
  const begin = (text: string): string => text.replace(/^<\?xml[^>]{0,300}\?>/, '');
  await pipeline(
    createReadStream(from, { highWaterMark: 1 << 20 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        const text = decoder.decode(chunk, { stream: true });
        if (start === undefined) yield text;
        else {
          start += text;
          if (start.length < 1024) continue;
          yield begin(start);
          start = undefined;
        }
      }
      yield begin(start ?? '') + decoder.decode();
    },
    createWriteStream(to, { flags: 'wx', mode: 0o600 }),
  );
}
