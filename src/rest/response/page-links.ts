// Where the pages before and after this one are, as a Link header; only where the request asked for a page.

import type { ApiRequest } from '../request/api-request.ts';

/** @example </projects?limit=10&offset=20>; rel="next", </projects?limit=10&offset=0>; rel="prev" */
export function pageLinks(
  { path, query, window }: Pick<ApiRequest, 'path' | 'query' | 'window'>,
  rows: number,
  total: number | undefined,
): string | undefined {
  const { limit, offset } = window;
  if (limit === undefined || limit < 1) return undefined;
  const links: string[] = [];
  const add = (rel: string, from: number): void => {
    links.push(`<${path}?${query.canonical({ limit, offset: from })}>; rel="${rel}"`);
  };
  const end = offset + rows;
  // Without a total, a full page may have another behind it.
  if (total === undefined ? rows === limit : rows > 0 && end < total) add('next', end);
  if (offset > 0) {
    add('prev', Math.max(0, offset - limit));
    add('first', 0);
  }
  if (total !== undefined && end < total) add('last', offset + Math.floor((total - offset - 1) / limit) * limit);
  return links.length === 0 ? undefined : links.join(', ');
}

/** @example </projects?after=kZ…&limit=10&order=name>; rel="next" */
export function nextLink({ path, query }: Pick<ApiRequest, 'path' | 'query'>, cursor: string): string {
  return `<${path}?${query.canonical({ after: cursor })}>; rel="next"`;
}
