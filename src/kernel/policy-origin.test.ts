import { expect, test } from 'vitest';
import { policyOrigin } from './policy-origin.ts';

test('the origin of an address is named as browsers know it', () => {
  expect(policyOrigin('https://Tiles.Example.org/{z}/{x}/{y}?key=1;2')).toBe('https://tiles.example.org');
  expect(policyOrigin('http://[::1]:8080/a')).toBe('http://[::1]:8080');
  expect(policyOrigin('https://münchen.example/')).toBe('https://xn--mnchen-3ya.example');
});

test.each([
  'https://a.example;script-src/',
  'https://a.example,b.example/',
  "https://'self'/",
  'https://*.example/',
  'https://a$b/',
  'app.example:/back',
  'data:text/plain,x',
  'nothing',
])('%s has no origin for a policy', (address) => {
  expect(policyOrigin(address)).toBeUndefined();
});
