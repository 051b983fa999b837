import { expect, test } from 'vitest';
import { openPreflight } from './open-services.ts';

const ASKED = {
  origin: 'https://elsewhere.example',
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};

test.each(['/wfs', '/wms/rivers', '/ogc/collections/rivers/items', '/tiles/rivers/0/0/0.mvt', '/stac/search'])(
  '%s may be asked from pages of every site, without cookies',
  (path) => {
    const headers = openPreflight(path, ASKED, ['GET', 'POST']);
    expect(headers).toMatchObject({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': expect.stringMatching(/^Authorization, authorization, content-type/),
    });
    expect(headers).not.toHaveProperty('Access-Control-Allow-Credentials');
  },
);

test.each(['/api/v2/resources/', '/account/login/', '/upload/final', '/', '/wfsx', '//wfs'])('%s may not', (path) => {
  expect(openPreflight(path, ASKED, ['GET', 'POST'])).toBeUndefined();
});

test('a verb that the address does not take is not allowed', () => {
  expect(
    openPreflight('/wfs', { ...ASKED, 'access-control-request-method': 'DELETE' }, ['GET', 'POST']),
  ).toBeUndefined();
});
