import { expect, test } from 'vitest';
import { redactQuery } from './redact-query.ts';

test.each([
  ['/api/v2/datasets?page=2&filter{title}=x', '/api/v2/datasets?page=2&filter{title}=x'],
  ['/o/callback?code=abc&state=def&page=1', '/o/callback?code=***&state=***&page=1'],
  ['/wms?ACCESS_TOKEN=abc', '/wms?ACCESS_TOKEN=***'],
  ['/wms?access%5Ftoken=abc', '/wms?access%5Ftoken=***'],
  ['/maps/5?unlisted=abc#3/50/10', '/maps/5?unlisted=***'],
  ['/wms?token', '/wms?token'],
  ['/wms?token=', '/wms?token=***'],
  ['/wms?%zz=1&apikey=2', '/wms?%zz=1&apikey=***'],
  ['/wms', '/wms'],
  ['https://me:word@host/a?key=1', 'https://host/a?key=***'],
  ['https://host/@me?x=1', 'https://host/@me?x=1'],
])('%s is logged as %s', (address, logged) => {
  expect(redactQuery(address)).toBe(logged);
});
