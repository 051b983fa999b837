import { expect, test } from 'vitest';
import { baseUrl } from './base-url.ts';

test.each([
  ['localhost:8000', 'http://localhost:8000'],
  ['maps.example.org:80', 'http://maps.example.org'],
  ['192.168.1.5:8000', 'http://192.168.1.5:8000'],
  ['[::1]:8000', 'http://[::1]:8000'],
  ['', 'http://localhost'],
  ['a b', 'http://localhost'],
  ['evil.example.org/path', 'http://localhost'],
  ['user@evil.example.org', 'http://localhost'],
  ['localhost:999999', 'http://localhost'],
  ['"><script>', 'http://localhost'],
])('asked at %j, the portal is at %s', (host, address) => {
  expect(baseUrl(undefined, host)).toBe(address);
  expect(baseUrl('https://maps.example.org', host)).toBe('https://maps.example.org');
});
