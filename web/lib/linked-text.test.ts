import { expect, test } from 'vitest';
import { linkedText } from './linked-text.ts';

const shown = (text: string): string =>
  linkedText(text)
    .map(({ kind, text: piece }) => (kind === 'link' ? `[${piece}]` : piece))
    .join('');

test.each([
  ['no address', 'no address'],
  ['see https://example.org/a?b=c#d.', 'see [https://example.org/a?b=c#d].'],
  ['(https://example.org)', '([https://example.org])'],
  ['https://en.wikipedia.org/wiki/Lake_(water), yes', '[https://en.wikipedia.org/wiki/Lake_(water)], yes'],
  ['http://a.org\nhttps://b.org', '[http://a.org]\n[https://b.org]'],
  ['javascript:alert(1) httpx://a https:// ftp://a.org', 'javascript:alert(1) httpx://a https:// ftp://a.org'],
  ['"https://a.org"><script>', '"[https://a.org]"><script>'],
  [`https://a.org/${'x'.repeat(3000)}`, `https://a.org/${'x'.repeat(3000)}`],
  ['', ''],
])('%j', (text, expected) => {
  expect(shown(text)).toBe(expected);
});
