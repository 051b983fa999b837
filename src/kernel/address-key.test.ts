import { expect, test } from 'vitest';
import { addressKey } from './address-key.ts';

test.each([
  [undefined, ''],
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('%s counts as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
