import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catalogueSearch, listPath, parseCatalogueState, parseExtent, sortsOf } from './catalogue-state.ts';

test('an empty address asks for everything, newest first', () => {
  const path = listPath(parseCatalogueState(''));
  expect(new URL(path, 'http://x').searchParams.toString()).toBe(
    'sort%5B%5D=-last_updated&page=1&page_size=24&include%5B%5D=sharing',
  );
});

test('every choice stands in the address and comes back from it', () => {
  const search =
    '?q=rivers&type=layer&type=map&keyword=water&category=oceans&owner=ada&region=EUR&from=2020-01-01&to=2021-12-31&extent=5%2C45%2C15%2C55&favourites=1&sort=title&view=list&page=3';
  expect(catalogueSearch(parseCatalogueState(search))).toBe(search);
  const params = new URL(listPath(parseCatalogueState(search)), 'http://x').searchParams;
  expect(params.getAll('filter{resource_type.in}')).toEqual(['layer', 'map']);
  expect(params.get('filter{keywords.slug.in}')).toBe('water');
  expect(params.get('extent')).toBe('5,45,15,55');
  expect(params.get('favorite')).toBe('true');
  expect(params.get('filter{date.lte}')).toBe('2021-12-31T23:59:59Z');
});

test('what is searched for is ordered by how well it fits, unless another order is chosen', () => {
  const sorted = (search: string) =>
    new URL(listPath(parseCatalogueState(search)), 'http://x').searchParams.get('sort[]');
  expect(sorted('q=rivers')).toBe(null);
  expect(sorted('q=rivers&sort=-last_updated')).toBe('-last_updated');
  expect(sorted('q=%20&sort=relevance')).toBe('-last_updated');
  expect(sortsOf({ q: '' })).not.toContain('relevance');
  expect(sortsOf({ q: 'rivers' })[0]).toBe('relevance');
});

test('whatever stands in the address, the state is one that can be asked for', () => {
  fc.assert(
    fc.property(fc.webQueryParameters(), (search) => {
      const state = parseCatalogueState(search);
      expect(parseCatalogueState(catalogueSearch(state))).toEqual(state);
    }),
  );
});

test.each([
  ['1,2,3', undefined],
  ['1,2,3,4,5', undefined],
  ['a,b,c,d', undefined],
  ['0,50,10,40', undefined],
  ['0,-91,10,40', undefined],
  ['0,,10,40', undefined],
  ['170,-20,-170,20', [170, -20, -170, 20]],
])('the extent %s is %j', (text, extent) => {
  expect(parseExtent(text)).toEqual(extent);
});
