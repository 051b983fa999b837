import { expect, test } from 'vitest';
import { COPY_DONE, copyDataHeader, encodeCopyFail, encodeScript, TERMINATE } from './control-messages.ts';

// As the protocol's description has them: type, length with itself, body.
test.each<[string, Buffer, string]>([
  ['a script', encodeScript('select 1'), 'Q\0\0\0\x0dselect 1\0'],
  ['a script in more bytes than letters', encodeScript('é'), 'Q\0\0\0\x07\xc3\xa9\0'],
  ['data of COPY', Buffer.concat([copyDataHeader(3), Buffer.from('a\tb')]), 'd\0\0\0\x07a\tb'],
  ['the end of COPY', COPY_DONE, 'c\0\0\0\x04'],
  ['COPY given up', encodeCopyFail('no'), 'f\0\0\0\x07no\0'],
  ['goodbye', TERMINATE, 'X\0\0\0\x04'],
])('%s', (_, bytes, meant) => {
  expect(bytes.toString('latin1')).toBe(meant);
});
