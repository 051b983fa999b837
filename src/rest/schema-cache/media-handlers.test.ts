import { describe, expect, test } from 'vitest';
import { makeFindMediaHandler, makeMediaHandlers, mediaTypeOfDomain } from './media-handlers.ts';

describe('mediaTypeOfDomain', () => {
  test.each([
    ['text/html', 'text/html'],
    ['Application/Vnd.Custom+XML', 'application/vnd.custom+xml'],
    ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded'],
    ['*/*', '*/*'],
    ['text', undefined],
    ['text/', undefined],
    ['/html', undefined],
    ['text/*', undefined],
    ['text/html; charset=utf-8', undefined],
    ['text/html/more', undefined],
    ['text/html\r\nx: y', undefined],
    ['текст/html', undefined],
  ])('a domain named %j declares %s', (name, mediaType) => {
    expect(mediaTypeOfDomain(name)).toBe(mediaType);
  });
});

describe('media handlers', () => {
  const clients = { schema: 'api', name: 'clients' };
  const projects = { schema: 'api', name: 'projects' };
  const handlers = makeMediaHandlers([
    { schema: 'api', name: 'clients_html', mediaType: 'text/html', relation: clients },
    { schema: 'api', name: 'any_html', mediaType: 'text/html', relation: null },
    { schema: 'other', name: 'second_html', mediaType: 'TEXT/html', relation: null },
    { schema: 'api', name: 'projects_xml', mediaType: 'text/xml', relation: projects },
    { schema: 'api', name: 'projects_all', mediaType: '*/*', relation: projects },
    { schema: 'api', name: 'odd', mediaType: 'no media type', relation: null },
  ]);
  const find = makeFindMediaHandler(handlers);

  test.each([
    [clients, 'text/html', 'clients_html'],
    [{ schema: 'other', name: 'clients' }, 'text/html', 'any_html'],
    [undefined, 'text/html', 'any_html'],
    [projects, 'text/xml', 'projects_all'],
    [projects, 'text/html', 'projects_all'],
    [clients, 'text/xml', undefined],
    [undefined, '*/*', undefined],
  ])('rows of %j as %s are made by %s', (relation, mediaType, aggregate) => {
    expect(find(relation, mediaType)?.aggregate.name).toBe(aggregate);
  });

  test('a domain that is named like no media type handles none', () => {
    expect(handlers.map(({ aggregate }) => aggregate.name)).not.toContain('odd');
  });
});
