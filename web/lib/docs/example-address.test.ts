import { expect, test } from 'vitest';
import { exampleAddress } from './example-address.ts';

test.each([
  ["curl 'localhost:8000/api/v2/maps/'", "curl 'https://maps.city.org/api/v2/maps/'"],
  ['http://localhost:8000', 'https://maps.city.org'],
  ['OAPIF:http://localhost:8000/ogc rivers', 'OAPIF:https://maps.city.org/ogc rivers'],
  ["curl 'localhost:3000/people?id=eq.1'", "curl 'https://maps.city.org/rest/v1/people?id=eq.1'"],
  ["new PostgrestClient('http://localhost:3000')", "new PostgrestClient('https://maps.city.org/rest/v1')"],
  ['{"a":"http://localhost:8000/o","b":"localhost:4318"}', '{"a":"https://maps.city.org/o","b":"localhost:4318"}'],
])('%s has the address of the portal', (code, expected) => {
  expect(exampleAddress('programs', 'https://maps.city.org')(code)).toBe(expected);
});

test('what is about a program on the own machine keeps the address of that', () => {
  const code = "curl 'http://localhost:3000/todos'";
  for (const page of ['start', 'install', 'replicas'])
    expect(exampleAddress(page, 'https://maps.city.org')(code)).toBe(code);
});
