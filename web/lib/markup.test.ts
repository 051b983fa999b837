import { expect, test } from 'vitest';
import { isSafeLink, parseMarkup } from './markup.ts';

test('blocks and runs', () => {
  expect(
    parseMarkup('# Head\n\nSome **bold** and *soft* [link](https://example.org).\n\n- one\n- two\n\n> said'),
  ).toEqual([
    { kind: 'heading', runs: [{ kind: 'text', text: 'Head' }] },
    {
      kind: 'paragraph',
      runs: [
        { kind: 'text', text: 'Some ' },
        { kind: 'bold', text: 'bold' },
        { kind: 'text', text: ' and ' },
        { kind: 'italic', text: 'soft' },
        { kind: 'text', text: ' ' },
        { kind: 'link', text: 'link', to: 'https://example.org' },
        { kind: 'text', text: '.' },
      ],
    },
    { kind: 'list', items: [[{ kind: 'text', text: 'one' }], [{ kind: 'text', text: 'two' }]] },
    { kind: 'quote', runs: [{ kind: 'text', text: 'said' }] },
  ]);
});

test('HTML is text', () => {
  expect(parseMarkup('<img src=x onerror=alert(1)>')).toEqual([
    { kind: 'paragraph', runs: [{ kind: 'text', text: '<img src=x onerror=alert(1)>' }] },
  ]);
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  '//evil.example',
  '/\\evil.example',
  'vbscript:x',
])('%s is no link', (to) => {
  expect(isSafeLink(to)).toBe(false);
  expect(parseMarkup(`[x](${to})`)).toEqual([{ kind: 'paragraph', runs: [{ kind: 'text', text: `[x](${to})` }] }]);
});

test('a long line of marks does not take long', () => {
  expect(parseMarkup('*'.repeat(20_000) + '['.repeat(20_000)).length).toBe(1);
});
