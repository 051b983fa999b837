// The address of a row just inserted.

import { encodeUrlComponent } from '../request/form-decoding.ts';
import { filterKey } from './openapi/filter-key.ts';

/** @example location('projects', [{ name: 'id' }], ['11']) // /projects?id=eq.11 */
export function location(
  table: string,
  key: readonly { readonly name: string }[],
  values: readonly (string | null)[],
): string {
  const filters = key.map(({ name }, i) => {
    const value = values[i] ?? null;
    return `${encodeUrlComponent(filterKey(name))}=${value === null ? 'is.null' : `eq.${encodeUrlComponent(value)}`}`;
  });
  return `/${encodeUrlComponent(table)}?${filters.join('&')}`;
}
