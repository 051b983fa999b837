// The answers of a batch as one JSON list. Bodies that are JSON stand in it as the bytes that PostgreSQL sent.

import { isUtf8 } from 'node:buffer';
import type { HttpReply } from '../../http/http-message.ts';

export type BatchAnswer = { readonly id: string | undefined; reply: HttpReply | undefined };

export function batchBody(answers: readonly BatchAnswer[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const { id, reply } of answers) {
    parts.push(Buffer.from(parts.length === 0 ? '[' : ',\n '));
    if (reply === undefined) throw new Error('a request of a batch has no answer');
    const head = { ...(id === undefined ? {} : { id }), status: reply.status, headers: headersOf(reply) };
    parts.push(Buffer.from(JSON.stringify(head).slice(0, -1)), ...bodyParts(reply), Buffer.from('}'));
  }
  return Buffer.concat([...parts, Buffer.from(']')]);
}

/** Of a header that stands several times, the list. Lengths are those of answers that were not sent. */
function headersOf({ headers }: HttpReply): Readonly<Record<string, string | readonly string[]>> {
  const all = new Map<string, string | readonly string[]>();
  for (const [name, value] of headers) {
    if (name === 'Content-Length') continue;
    const before = all.get(name);
    all.set(name, before === undefined ? value : [...(typeof before === 'string' ? [before] : before), value]);
  }
  return Object.fromEntries(all);
}

/** Text of another type is a string, and what is no text is base64 under a name of its own. */
function bodyParts(reply: HttpReply): readonly Uint8Array[] {
  if (reply.body === undefined || reply.body.length === 0) return [];
  const bytes = Buffer.from(reply.body);
  const type = reply.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (/^[^;]*[/+]json\s*(?:;|$)/.test(type)) return [Buffer.from(',"body":'), bytes];
  return isUtf8(bytes)
    ? [Buffer.from(`,"body":${JSON.stringify(bytes.toString())}`)]
    : [Buffer.from(`,"base64":${JSON.stringify(bytes.toString('base64'))}`)];
}
