// The address of a row just inserted.

/** @example location('projects', ['id'], ['11']) // /projects?id=eq.11 */
export function location(table: string, key: readonly string[], values: readonly (string | null)[]): string {
  const filters = key.map((name, i) => {
    const value = values[i] ?? null;
    return `${encodeURIComponent(name)}=${value === null ? 'is.null' : `eq.${encodeURIComponent(value)}`}`;
  });
  return `/${encodeURIComponent(table)}?${filters.join('&')}`;
}
