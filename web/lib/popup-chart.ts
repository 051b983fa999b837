// Numbers of a feature → the parts of a small chart. Pure.

export type ChartPart = {
  readonly column: string;
  readonly label: string;
  readonly value: number;
  /** As its column shows it. */
  readonly shown: string;
};

/** Columns without a number have no part. */
export function chartParts(
  columns: readonly string[],
  row: Readonly<Record<string, unknown>>,
  labels: ReadonlyMap<string, string>,
  shown: (column: string, value: unknown) => string,
): readonly ChartPart[] {
  return columns.flatMap((column) => {
    const found = Object.hasOwn(row, column) ? row[column] : undefined;
    const value = typeof found === 'string' && found.trim() !== '' ? Number(found) : found;
    if (typeof value !== 'number' || !Number.isFinite(value)) return [];
    return [{ column, label: labels.get(column) ?? column, value, shown: shown(column, found) }];
  });
}

const RADIUS = 48;

/** Round a centre at 0, 0, clockwise from the top; what is not above nought has none. */
export function pieSlices(parts: readonly ChartPart[]): readonly { readonly column: string; readonly path: string }[] {
  const sizes = parts.map(({ value }) => Math.max(0, value));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  return parts.map(({ column }, i) => {
    const [from, to] = [before / (total || 1), (before + (sizes[i] ?? 0)) / (total || 1)];
    before += sizes[i] ?? 0;
    return { column, path: slicePath(from, to) };
  });
}

function slicePath(from: number, to: number): string {
  if (to <= from) return '';
  // A circle has no beginning, which an arc needs.
  if (to - from > 0.9999)
    return `M0 ${-RADIUS}A${RADIUS} ${RADIUS} 0 1 1 0 ${RADIUS}A${RADIUS} ${RADIUS} 0 1 1 0 ${-RADIUS}Z`;
  const at = (part: number): string => {
    const angle = 2 * Math.PI * part;
    return `${round(RADIUS * Math.sin(angle))} ${round(-RADIUS * Math.cos(angle))}`;
  };
  return `M0 0L${at(from)}A${RADIUS} ${RADIUS} 0 ${to - from > 0.5 ? 1 : 0} 1 ${at(to)}Z`;
}

const round = (n: number): number => Math.round(n * 100) / 100;
