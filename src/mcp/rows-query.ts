// Structured arguments → the query of a REST address, and the same filters as CQL2 for the map services. Pure.

export const OPERATORS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'in', 'is_null'] as const;

export type Filter = {
  readonly column: string;
  readonly operator: (typeof OPERATORS)[number];
  readonly value?: string | number | boolean | readonly (string | number)[] | undefined;
  readonly negate?: boolean | undefined;
};

type Order = { readonly column: string; readonly descending?: boolean | undefined };

export type RowsQuery = {
  readonly columns?: readonly string[] | undefined;
  readonly filters?: readonly Filter[] | undefined;
  readonly order?: readonly Order[] | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** A cursor of the page before; empty for the first page. */
  readonly after?: string | undefined;
};

/** Without the `?`. */
export function rowsQuery({ columns, filters = [], order = [], limit, offset, after }: RowsQuery): string {
  const pairs: [string, string][] = [];
  if (columns !== undefined && columns.length > 0) pairs.push(['select', columns.join(',')]);
  for (const filter of filters) pairs.push(restFilter(filter));
  if (order.length > 0)
    pairs.push(['order', order.map((one) => `${restName(one.column)}${one.descending ? '.desc' : ''}`).join(',')]);
  if (limit !== undefined) pairs.push(['limit', String(limit)]);
  if (offset !== undefined) pairs.push(['offset', String(offset)]);
  if (after !== undefined) pairs.push(['after', after]);
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}

function restFilter({ column, operator, value, negate = false }: Filter): [string, string] {
  const not = negate ? 'not.' : '';
  switch (operator) {
    case 'is_null':
      return [restName(column), `${not}is.null`];
    case 'in':
      return [restName(column), `${not}in.(${listOf(value).map(quoted).join(',')})`];
    default:
      return [restName(column), `${not}${operator}.${String(value ?? '')}`];
  }
}

/** Names with marks of the grammar in them stand in quotes; paths into JSON and related tables are left as they are. */
export function restName(column: string): string {
  return /^[\p{L}\p{N}_$>.-]*$/u.test(column) ? column : quoted(column);
}

function quoted(value: string | number): string {
  return `"${String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function listOf(value: Filter['value']): readonly (string | number)[] {
  if (value === undefined || typeof value === 'boolean') return [String(value ?? '')];
  return typeof value === 'object' ? value : [value];
}

const COMPARISONS: Readonly<Record<string, string>> = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** Undefined: nothing is filtered. */
export function cqlFilter(filters: readonly Filter[] = []): string | undefined {
  return filters.length === 0 ? undefined : filters.map(cqlOf).join(' AND ');
}

function cqlOf(filter: Filter): string {
  const column = `"${filter.column.replaceAll('"', '""')}"`;
  const { operator, value } = filter;
  const positive = (): string => {
    switch (operator) {
      case 'is_null':
        return `${column} IS NULL`;
      case 'in':
        return `${column} IN (${listOf(value).map(cqlValue).join(',')})`;
      case 'like':
        return `${column} LIKE ${cqlValue(String(value).replaceAll('*', '%'))}`;
      case 'ilike':
        return `CASEI(${column}) LIKE CASEI(${cqlValue(String(value).replaceAll('*', '%'))})`;
      default:
        return `${column} ${COMPARISONS[operator]} ${cqlValue(listOf(value)[0] ?? '')}`;
    }
  };
  return filter.negate === true ? `NOT (${positive()})` : positive();
}

function cqlValue(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
