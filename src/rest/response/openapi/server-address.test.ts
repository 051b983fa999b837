import { expect, test } from 'vitest';
import { serverAddress } from './server-address.ts';

const settings = { openapiServerProxyUri: undefined, serverHost: '!4', serverPort: 3000 };

test.each(['*', '*4', '!4', '*6', '!6'])('the host %s, which is no address, is shown as 0.0.0.0', (serverHost) => {
  expect(serverAddress({ ...settings, serverHost })).toEqual({
    scheme: 'http',
    host: '0.0.0.0:3000',
    basePath: '/',
    url: '/',
  });
});

test.each([
  ['localhost', 'localhost:3000'],
  ['::1', '[::1]:3000'],
])('the host %s is shown as %s', (serverHost, host) => {
  expect(serverAddress({ ...settings, serverHost }).host).toBe(host);
});

test('a service mounted in a larger server says its path', () => {
  expect(serverAddress({ ...settings, mount: '/rest/v1/' })).toMatchObject({ basePath: '/rest/v1', url: '/rest/v1' });
});

test.each([
  ['https://example.com', 'https', 'example.com:443', '/', 'https://example.com'],
  ['http://example.com/', 'http', 'example.com:80', '/', 'http://example.com'],
  ['https://example.com:8443/basePath', 'https', 'example.com:8443', '/basePath', 'https://example.com:8443/basePath'],
  ['http://[::1]:81/a/b/', 'http', '[::1]:81', '/a/b', 'http://[::1]:81/a/b'],
])('behind the proxy %s', (openapiServerProxyUri, scheme, host, basePath, url) => {
  expect(serverAddress({ ...settings, openapiServerProxyUri })).toEqual({
    scheme,
    host,
    basePath,
    url,
  });
});

test.each([
  ['https://example.com', '/sales', 'https://example.com/sales'],
  ['https://example.com/api/', '/api/sales', 'https://example.com/api/sales'],
  ['https://example.com/sales', '/sales', 'https://example.com/sales'],
])('behind the proxy %s, one of several databases is at %s', (openapiServerProxyUri, basePath, url) => {
  expect(serverAddress({ ...settings, mount: '/sales', openapiServerProxyUri })).toMatchObject({ basePath, url });
});
