import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { BlobError, BlobRange, BlobStore } from '../../blobs/blob-store.ts';
import { err, ok } from '../../kernel/result.ts';
import { attachment, sendBlob } from './send-blob.ts';

const FILE = { blob: 'documents/ab/abc', name: 'a.txt', mime: 'text/html' };

async function send(range: string | undefined, error?: BlobError) {
  let asked: BlobRange | undefined;
  const open: BlobStore['open'] = async (_, wanted) => {
    asked = wanted;
    return error === undefined ? ok({ size: 100, stream: Readable.from([]) }) : err(error);
  };
  const sent = await sendBlob({ open } as unknown as BlobStore, FILE, range);
  return { sent, asked };
}

test('a file is saved and not shown: whatever it is, it is nothing that could run in the name of the portal', async () => {
  expect((await send(undefined)).sent).toEqual({
    ok: true,
    value: {
      status: 200,
      body: expect.any(Readable),
      headers: {
        'Content-Disposition': `attachment; filename="a.txt"; filename*=UTF-8''a.txt`,
        'X-Content-Type-Options': 'nosniff',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cross-Origin-Resource-Policy': 'same-origin',
        'Accept-Ranges': 'bytes',
        'Content-Type': 'text/html',
        'Content-Length': '100',
      },
    },
  });
});

test.each<[string, BlobRange | undefined, string | undefined, string]>([
  ['bytes=0-9', { start: 0, end: 9 }, 'bytes 0-9/100', '10'],
  ['bytes=5-5', { start: 5, end: 5 }, 'bytes 5-5/100', '1'],
  ['bytes=90-', { start: 90 }, 'bytes 90-99/100', '10'],
  ['bytes=90-500', { start: 90, end: 500 }, 'bytes 90-99/100', '10'],
  // What is not one range from a beginning gets the whole.
  ['bytes=9-5', undefined, undefined, '100'],
  ['bytes=-5', undefined, undefined, '100'],
  ['bytes=0-1,4-5', undefined, undefined, '100'],
  ['lines=0-1', undefined, undefined, '100'],
])('%s', async (range, wanted, contentRange, length) => {
  const { sent, asked } = await send(range);
  expect(asked).toEqual(wanted);
  expect(sent.ok && sent.value.status).toBe(wanted === undefined ? 200 : 206);
  expect(sent.ok && sent.value.headers).toMatchObject({ 'Content-Length': length, 'Content-Type': 'text/html' });
  expect(sent.ok && sent.value.headers?.['Content-Range']).toBe(contentRange);
});

test('a range behind the end is refused with the size; a file that is gone is not there; a broken disk is a bug', async () => {
  expect((await send('bytes=200-', { kind: 'bad-range', size: 100 })).sent).toEqual(
    ok({ status: 416, headers: { 'Content-Range': 'bytes */100' } }),
  );
  expect((await send(undefined, { kind: 'no-such-blob', key: 'x' })).sent).toEqual(err({ kind: 'not-found' }));
  await expect(send(undefined, { kind: 'store', message: 'EIO' })).rejects.toThrow('EIO');
});

test.each([
  ['Bericht "Ä".pdf', `attachment; filename="Bericht ___.pdf"; filename*=UTF-8''Bericht%20%22%C3%84%22.pdf`],
  ["it's (1)*.csv", `attachment; filename="it's (1)*.csv"; filename*=UTF-8''it%27s%20%281%29%2A.csv`],
  ['a\r\nb\ud800%', `attachment; filename="a__b__"; filename*=UTF-8''a%0D%0Ab%EF%BF%BD%25`],
])('%j is named so that every reader understands', (name, header) => {
  expect(attachment(name)).toBe(header);
});
