import { expect, test } from 'vitest';
import { makeEventReader } from './event-stream.ts';

const TEXT =
  ':\n\nevent: row\ndata: {"a":\ndata: 1}\n\nid: x-1\nevent: gone\ndata:{}\n\nretry: 2000\n\ndata: plain\n\n';
const EVENTS = [
  { name: 'row', data: '{"a":\n1}', id: undefined },
  { name: 'gone', data: '{}', id: 'x-1' },
  { name: 'message', data: 'plain', id: undefined },
];

test('events are read out of a text, comments and other fields aside', () => {
  expect(makeEventReader()(TEXT)).toEqual(EVENTS);
});

test('wherever the text is cut', () => {
  for (let at = 0; at <= TEXT.length; at++) {
    const read = makeEventReader();
    expect([...read(TEXT.slice(0, at)), ...read(TEXT.slice(at))]).toEqual(EVENTS);
  }
});
