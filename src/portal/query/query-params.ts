// The query string as names and values, in order. Nothing is read into the names here; `filter{a.b}` is a name like others.

import { queryPairs } from '../../http/query-pairs.ts';

export type QueryParams = {
  /** The first value of that name. */
  first(name: string): string | undefined;
  all(name: string): readonly string[];
  names(): Iterable<string>;
};

/** `query` is what stands behind the `?`, or nothing. */
export function parseQueryParams(query: string): QueryParams {
  const values = new Map<string, string[]>();
  if (query !== '') {
    for (const [name, value] of queryPairs(query)) {
      const known = values.get(name);
      if (known === undefined) values.set(name, [value]);
      else known.push(value);
    }
  }
  return {
    first: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? [],
    names: () => values.keys(),
  };
}

/** What stands behind the `?` of a target. */
export function queryOf(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? '' : target.slice(mark + 1);
}

/** A switch: on with `true` or `1`, in any case. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(?:true|1)$/i.test(value);
}
