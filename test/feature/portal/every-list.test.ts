// Every list can be sorted and filtered by each of its fields, and none of them makes the database refuse.

import { expect, test } from 'vitest';
import { bodyOf, onCatalogue } from './on-catalogue.ts';

onCatalogue('every list', {}, (portal) => {
  test.each([
    'resources',
    'layers',
    'maps',
    'documents',
    'geoapps',
    'geostories',
    'uploads',
    'users',
    'groups',
    'owners',
    'categories',
    'keywords',
    'regions',
  ])('of %s can be sorted by each of its fields that has one value', async (name) => {
    const { properties } = bodyOf<{ properties: Record<string, { type: string; write_only?: boolean }> }>(
      await portal().as('admin').request('OPTIONS', `/api/v2/${name}`),
    );
    const wrong: string[] = [];
    for (const field of Object.keys(properties)) {
      const { status } = await portal().as('admin').get(`/api/v2/${name}?page_size=1&ordering=-${field}`);
      if (status >= 500) wrong.push(field);
      const found = await portal()
        .as('admin')
        .get(`/api/v2/${name}?page_size=1&filter{${field}.gt}=1&filter{${field}.icontains}=x`);
      if (found.status >= 500) wrong.push(`filter ${field}`);
    }
    expect(wrong).toEqual([]);
  });
});
