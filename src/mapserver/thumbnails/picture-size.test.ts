import { createCanvas } from '@napi-rs/canvas';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pictureSize } from './picture-size.ts';

test.each(['png', 'jpeg', 'webp'] as const)('a %s says how large it is', async (format) => {
  const canvas = createCanvas(300, 7);
  canvas.getContext('2d').fillRect(0, 0, 9, 9);
  const bytes = format === 'png' ? await canvas.encode('png') : await canvas.encode(format, 80);
  expect(pictureSize(bytes)).toEqual({ width: 300, height: 7 });
  for (let length = 0; length < 12; length++) expect(pictureSize(bytes.subarray(0, length))).toBeUndefined();
});

test('a GIF says how large it is', () => {
  expect(pictureSize(Buffer.from('474946383961102700010000', 'hex'))).toEqual({ width: 10_000, height: 256 });
});

test.each([
  ['nothing', ''],
  ['text', Buffer.from('PNG? no').toString('hex')],
  ['a JPEG without a picture', 'ffd8ffd9'],
  ['a JPEG of segments without length', `ffd8${'ffe00000'.repeat(50)}`],
  ['a JPEG of filling', `ffd8${'ff'.repeat(500)}`],
  ['a WebP of an unknown kind', `52494646ffffffff57454250${Buffer.from('VP9 ').toString('hex')}${'00'.repeat(40)}`],
  ['a PNG of no width', `89504e470d0a1a0a0000000d494844520000000000000001${'00'.repeat(9)}`],
])('%s has no size', (_, hex) => {
  expect(pictureSize(Buffer.from(hex, 'hex'))).toBeUndefined();
});

test('whatever the bytes are, it answers', () => {
  const heads = ['ffd8', '474946', '89504e470d0a1a0a', '52494646'].map((head) => Buffer.from(head, 'hex'));
  fc.assert(
    fc.property(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 200 }), (head, rest) => {
      const size = pictureSize(Buffer.concat([head, rest]));
      if (size !== undefined) expect(size.width * size.height).toBeGreaterThan(0);
    }),
  );
});
