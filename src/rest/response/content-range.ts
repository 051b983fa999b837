// Content-Range and the status that goes with it.

/** @example contentRange({ offset: 0, rows: 2, total: 15 }) // 0-1/15 */
export function contentRange(page: {
  readonly offset: number;
  readonly rows: number;
  readonly total: number | undefined;
}): string {
  const { offset, rows, total } = page;
  const range = rows === 0 || total === 0 ? '*' : `${offset}-${offset + rows - 1}`;
  return `${range}/${total ?? '*'}`;
}

/** Clients page on it: 206 while a known total is larger than the page, even on the last one. */
export function pageStatus(rows: number, total: number | undefined): 200 | 206 {
  return total !== undefined && rows < total ? 206 : 200;
}
