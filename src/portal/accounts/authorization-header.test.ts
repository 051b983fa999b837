import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAuthorization } from './authorization-header.ts';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('the Authorization header', () => {
  test.each([
    [undefined, { kind: 'nothing' }],
    ['', { kind: 'nothing' }],
    ['Negotiate YWJj', { kind: 'nothing' }],
    ['Basically YWJj', { kind: 'nothing' }],
    [basic('ada:secret'), { kind: 'basic', username: 'ada', password: 'secret' }],
    [basic('ada:'), { kind: 'basic', username: 'ada', password: '' }],
    [basic(':secret'), { kind: 'basic', username: '', password: 'secret' }],
    [basic('ada:se:cret'), { kind: 'basic', username: 'ada', password: 'se:cret' }],
    [basic('ümit:pässwort'), { kind: 'basic', username: 'ümit', password: 'pässwort' }],
    ['bAsIc   YTpi  ', { kind: 'basic', username: 'a', password: 'b' }],
    [`Basic ${Buffer.from('ümit:x', 'latin1').toString('base64')}`, { kind: 'basic', username: 'ümit', password: 'x' }],
    [basic('no colon'), { kind: 'unreadable', scheme: 'basic' }],
    ['Basic', { kind: 'unreadable', scheme: 'basic' }],
    ['Basic ', { kind: 'unreadable', scheme: 'basic' }],
    ['Basic a b', { kind: 'unreadable', scheme: 'basic' }],
    ['Basic !!!!', { kind: 'unreadable', scheme: 'basic' }],
    [`Basic ${'a'.repeat(9000)}`, { kind: 'unreadable', scheme: 'basic' }],
    ['Bearer abc.def', { kind: 'bearer', token: 'abc.def' }],
    ['bearer abc', { kind: 'bearer', token: 'abc' }],
    ['Bearer', { kind: 'unreadable', scheme: 'bearer' }],
    ['Bearer a b', { kind: 'unreadable', scheme: 'bearer' }],
  ])('%s', (header, offered) => {
    expect(parseAuthorization(header)).toEqual(offered);
  });

  test('any name without a colon and any password come out as they went in', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(text, text, (name, password) => {
        fc.pre(!name.includes(':'));
        expect(parseAuthorization(basic(`${name}:${password}`))).toEqual({ kind: 'basic', username: name, password });
      }),
    );
  });

  test('no header makes it throw', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseAuthorization(`Basic ${text}`)));
  });
});
