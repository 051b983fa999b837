import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MediaType, mediaTypeName, mediaTypeToHeader, parseAccept, parseContentType } from './media-type.ts';

const names = (header: string | undefined) => parseAccept(header).map(mediaTypeName);

describe('Accept', () => {
  test.each<[string | undefined, MediaType]>([
    [undefined, { kind: 'any' }],
    ['', { kind: 'any' }],
    ['*/*', { kind: 'any' }],
    ['application/json', { kind: 'json' }],
    ['Application/JSON; charset=utf-8', { kind: 'json' }],
    ['application/geo+json', { kind: 'geojson' }],
    ['text/csv', { kind: 'csv' }],
    ['text/plain', { kind: 'text' }],
    ['text/xml', { kind: 'xml' }],
    ['application/octet-stream', { kind: 'octets' }],
    ['application/openapi+json', { kind: 'openapi' }],
    ['application/vnd.oai.openapi+json;version=3.1', { kind: 'openapi3' }],
    ['application/vnd.oai.openapi+json; version="3.0"', { kind: 'openapi3' }],
    ['application/vnd.oai.openapi+json', { kind: 'openapi3' }],
    ['application/vnd.oai.openapi+json;version=2.0', { kind: 'openapi' }],
    ['application/vnd.pgrst.array', { kind: 'array', nullsStripped: false }],
    ['application/vnd.pgrst.array+json', { kind: 'array', nullsStripped: false }],
    ['application/vnd.pgrst.array+json; nulls=stripped', { kind: 'array', nullsStripped: true }],
    ['application/vnd.pgrst.object', { kind: 'object', nullsStripped: false }],
    ['application/vnd.pgrst.object+json;nulls=stripped', { kind: 'object', nullsStripped: true }],
    ['application/vnd.pgrst.object+json;nulls=kept', { kind: 'object', nullsStripped: false }],
    ['application/vnd.svrst.object+json', { kind: 'object', nullsStripped: false, vendor: 'svrst' }],
    ['APPLICATION/VND.SVRST.ARRAY;nulls=stripped', { kind: 'array', nullsStripped: true, vendor: 'svrst' }],
    ['application/vnd.pgrst.plan', { kind: 'plan', format: 'text', for: { kind: 'json' }, options: [] }],
    ['application/vnd.pgrst.plan+text', { kind: 'plan', format: 'text', for: { kind: 'json' }, options: [] }],
    [
      'application/vnd.pgrst.plan+json; for="text/csv"; options=wal|analyze|nonsense;',
      { kind: 'plan', format: 'json', for: { kind: 'csv' }, options: ['analyze', 'wal'] },
    ],
    [
      'application/vnd.svrst.plan; for="application/vnd.pgrst.object+json;nulls=stripped"',
      { kind: 'plan', format: 'text', for: { kind: 'object', nullsStripped: true }, options: [], vendor: 'svrst' },
    ],
    ['text/HTML;level=1', { kind: 'other', name: 'text/html' }],
    ['image/*', { kind: 'other', name: 'image/*' }],
    ['application/vnd.pgrst.object+text', { kind: 'other', name: 'application/vnd.pgrst.object+text' }],
    ['application/vnd.pgrst.objectt', { kind: 'other', name: 'application/vnd.pgrst.objectt' }],
    // no media type at all
    ['undefined', { kind: 'other', name: 'undefined' }],
    ['Undefined;x', { kind: 'other', name: 'Undefined;x' }],
  ])('%s', (header, type) => {
    expect(parseAccept(header)).toEqual([type]);
  });

  test.each([
    ['text/csv, */*', ['text/csv', '*/*']],
    ['*/*, text/csv', ['text/csv', '*/*']],
    ['text/csv;q=0.5, application/json;q=0.9', ['application/json', 'text/csv']],
    ['text/csv;q=0.5, application/json', ['application/json', 'text/csv']],
    ['a/b, c/d, e/f', ['a/b', 'c/d', 'e/f']],
    ['a/b, c/d;x=1', ['c/d', 'a/b']],
    ['a/b;q=nonsense, c/d;q=0.9', ['a/b', 'c/d']],
    [
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8',
      ['text/html', 'application/xhtml+xml', 'image/webp', 'application/xml', '*/*'],
    ],
    [' text/csv ,, ', ['text/csv']],
  ])('%s: best first', (header, ranked) => {
    expect(names(header)).toEqual(ranked);
  });

  test('a plan for a plan for a plan is nobody’s media type', () => {
    const plan = (of: string) => `application/vnd.pgrst.plan;for="${of}"`;
    expect(parseAccept('application/vnd.pgrst.plan;for='.repeat(2000))).toHaveLength(1);
    expect(parseAccept(plan('application/vnd.pgrst.plan'))).toMatchObject([{ kind: 'plan', for: { kind: 'plan' } }]);
  });

  test('no header throws', () => {
    const header = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('application/vnd.pgrst.plan', ';', ',', 'for=', '"', 'q=', '*/*', '1', '|', 'options='),
      }),
    );
    fc.assert(
      fc.property(header, (text) => {
        for (const type of parseAccept(text)) expect(typeof mediaTypeToHeader(type)).toBe('string');
      }),
    );
  });
});

describe('request Content-Type', () => {
  test.each<[string | undefined, MediaType]>([
    [undefined, { kind: 'json' }],
    ['', { kind: 'json' }],
    ['application/json', { kind: 'json' }],
    ['application/json; charset=utf-8', { kind: 'json' }],
    ['application/json;whatever junk', { kind: 'json' }],
    ['text/csv', { kind: 'csv' }],
    ['application/x-www-form-urlencoded', { kind: 'form' }],
    ['text/plain; charset=latin1', { kind: 'text' }],
    ['image/png', { kind: 'other', name: 'image/png' }],
  ])('%s', (header, type) => {
    expect(parseContentType(header)).toEqual(type);
  });
});

describe('the Content-Type of an answer', () => {
  test.each([
    ['application/json', 'application/json; charset=utf-8'],
    ['application/vnd.pgrst.array', 'application/json; charset=utf-8'],
    ['application/vnd.pgrst.array;nulls=stripped', 'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8'],
    ['application/vnd.pgrst.object', 'application/vnd.pgrst.object+json; charset=utf-8'],
    ['application/vnd.svrst.object', 'application/vnd.svrst.object+json; charset=utf-8'],
    [
      'application/vnd.pgrst.object+json;nulls=stripped',
      'application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8',
    ],
    ['text/csv', 'text/csv; charset=utf-8'],
    ['text/plain', 'text/plain; charset=utf-8'],
    ['text/xml', 'text/xml; charset=utf-8'],
    ['application/geo+json', 'application/geo+json; charset=utf-8'],
    ['application/openapi+json', 'application/openapi+json; charset=utf-8'],
    ['application/vnd.oai.openapi+json', 'application/vnd.oai.openapi+json;version=3.1; charset=utf-8'],
    ['application/vnd.pgrst.plan', 'application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8'],
    [
      'application/vnd.pgrst.plan+json;options=verbose|analyze',
      'application/vnd.pgrst.plan+json; for="application/json"; options=analyze|verbose; charset=utf-8',
    ],
    [
      'application/vnd.svrst.plan+json;for="application/vnd.svrst.object;nulls=stripped"',
      'application/vnd.svrst.plan+json; for="application/vnd.svrst.object+json;nulls=stripped"; charset=utf-8',
    ],
    // handlers' own types, and bytes, have no charset
    ['application/octet-stream', 'application/octet-stream'],
    ['*/*', 'application/octet-stream'],
    ['text/html', 'text/html'],
  ])('asked for %s', (accept, contentType) => {
    expect(parseAccept(accept).map(mediaTypeToHeader)).toEqual([contentType]);
  });
});
