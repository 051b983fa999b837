// A request's address → the address of ours that answers it, where the table of built-in addresses has one. Pure. It is looked at for
// every request, so rows are found by the first part of the path.

import { ADDRESSES, type AddressRow, type Parts } from './address-table.ts';

type Compiled = { readonly parts: readonly string[]; readonly row: AddressRow };

const BY_FIRST = new Map<string, Compiled[]>();
for (const row of ADDRESSES) {
  if (row.to.kind !== 'same') continue;
  const parts = partsOf(row.from);
  const first = parts[0] ?? '';
  const rows = BY_FIRST.get(first);
  if (rows === undefined) BY_FIRST.set(first, [{ parts, row }]);
  else rows.push({ parts, row });
}

/** Longer addresses are nobody's. */
const MAX_PARTS = 12;

export function ourAddress(url: string): string {
  const second = url.indexOf('/', 1);
  const end = url.search(/[?#]/);
  const first = url.slice(1, Math.min(second < 0 ? url.length : second, end < 0 ? url.length : end));
  const rows = BY_FIRST.get(first);
  if (rows === undefined) return url;
  const path = end < 0 ? url : url.slice(0, end);
  const query = end < 0 ? '' : url.slice(end);
  const given = partsOf(path);
  if (given.length > MAX_PARTS) return url;
  for (const { parts, row } of rows) {
    const matched = match(parts, given);
    if (matched === undefined || row.to.kind !== 'same') continue;
    const to = typeof row.to.path === 'string' ? row.to.path : row.to.path(matched, new URLSearchParams(query));
    if (to !== undefined) return to + query;
  }
  return url;
}

function match(parts: readonly string[], given: readonly string[]): Parts | undefined {
  if (parts.length !== given.length) return undefined;
  const found: Record<string, string> = {};
  for (const [i, part] of parts.entries()) {
    const value = given[i] ?? '';
    if (part.startsWith('{')) found[part.slice(1, -1)] = value;
    else if (part !== value) return undefined;
  }
  return found;
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}
