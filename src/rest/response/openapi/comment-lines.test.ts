import { expect, test } from 'vitest';
import { commentLines } from './comment-lines.ts';

test.each<[comment: string | null, lines: object]>([
  [null, {}],
  ['', {}],
  ['One line', { summary: 'One line' }],
  ['Heading\nText\nmore', { summary: 'Heading', description: 'Text\nmore' }],
  ['Heading\n\n\n  Text\n', { summary: 'Heading', description: '  Text\n' }],
  ['Heading\r\n\r\nText', { summary: 'Heading', description: 'Text' }],
  ['Heading\n', { summary: 'Heading' }],
  ['\nText', { description: 'Text' }],
])('%j is split after its first line', (comment, lines) => {
  expect(commentLines(comment)).toEqual(lines);
});
