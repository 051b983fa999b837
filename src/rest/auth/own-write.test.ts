import { describe, expect, test } from 'vitest';
import type { HttpHeaders } from '../../http/http-message.ts';
import { isOwnWrite } from './own-write.ts';

const settings = {
  openapiServerProxyUri: 'https://api.example.org/v1',
  serverCorsAllowedOrigins: ['https://app.example.org'],
};
const FORM = 'application/x-www-form-urlencoded';
const from = (headers: HttpHeaders, method = 'POST'): boolean =>
  isOwnWrite({ method, headers: { host: 'rest.internal:3000', 'content-type': FORM, ...headers } }, settings);

describe('a form that is posted', () => {
  test.each([
    ['our host', 'http://rest.internal:3000'],
    ['our host behind TLS', 'https://rest.internal:3000'],
    ['the address of the settings', 'https://api.example.org'],
    ['an allowed origin', 'https://app.example.org'],
  ])('by a page of %s is ours', (_what, origin) => {
    expect(from({ origin })).toBe(true);
    expect(from({ referer: `${origin}/page?x=1` })).toBe(true);
  });

  test.each([
    'https://evil.example',
    'null',
    '',
    'http://rest.internal:3001',
    'http://rest.internal',
    'https://api.example.org.evil.example',
    'http://api.example.org',
    'data:text/html,x',
    'https://rest.internal:3000@evil.example',
  ])('by a page of %j is not', (origin) => {
    expect(from({ origin })).toBe(false);
    expect(from({ referer: origin })).toBe(false);
  });

  test('is judged by its origin where a referer says otherwise', () => {
    expect(from({ origin: 'https://evil.example', referer: 'http://rest.internal:3000/' })).toBe(false);
  });

  test('by a page unknown counts as another site’s', () => {
    for (const type of [FORM, `${FORM}; charset=utf-8`, 'Multipart/Form-Data; boundary=x', 'text/plain', undefined])
      expect(from({ 'content-type': type })).toBe(false);
  });
});

test('the port that a protocol has anyway need not be said', () => {
  expect(from({ host: 'rest.example', origin: 'https://rest.example' })).toBe(true);
  expect(from({ host: 'rest.example:443', origin: 'https://rest.example' })).toBe(true);
  expect(from({ host: 'rest.example:443', origin: 'http://rest.example' })).toBe(false);
});

test('without allowed origins in the settings any page may read, and none may write', () => {
  const request = { method: 'POST', headers: { host: 'a', origin: 'https://b', 'content-type': 'application/json' } };
  expect(isOwnWrite(request, { openapiServerProxyUri: undefined, serverCorsAllowedOrigins: undefined })).toBe(false);
});

test('programs send what no form can', () => {
  expect(from({ 'content-type': 'application/json' })).toBe(true);
  expect(from({ 'content-type': undefined }, 'DELETE')).toBe(true);
});

test.each(['GET', 'HEAD', 'OPTIONS', 'QUERY'])('%s writes nothing', (method) => {
  expect(from({ origin: 'https://evil.example' }, method)).toBe(true);
});
