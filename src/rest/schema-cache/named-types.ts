// Types that somebody made and named (enums, domains, composite types), read from the catalogue. Requests do without them;
// who describes the API to other programs wants to know what stands behind a name.

import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import { arrayLiteral } from './array-literal.ts';
import { catalogueSql } from './catalogue-sql.ts';
import type { Identifier } from './schema-cache.ts';

/** `printed` as `Column.baseType` and `Parameter.type` name it. */
export type NamedType = Identifier & { readonly printed: string; readonly description: string | null } & (
    | { readonly kind: 'enum'; readonly labels: readonly string[] }
    | { readonly kind: 'domain'; readonly base: string }
    | { readonly kind: 'composite'; readonly columns: readonly (readonly [name: string, type: string])[] }
    /** The row of an exposed table or view. */
    | { readonly kind: 'relation' }
  );

/** As the query brings it; see sql/named-types.sql. */
type NamedTypeRow = Identifier & {
  readonly printed: string;
  readonly description: string | null;
  readonly kind: 'e' | 'd' | 'c' | 'relation';
  readonly base: string | null;
  readonly labels: readonly string[] | null;
  readonly columns: readonly (readonly [name: string, type: string])[] | null;
};

export async function loadNamedTypes(
  driver: Pick<Driver, 'hold'>,
  schemas: readonly string[],
): Promise<Result<readonly NamedType[], DbError>> {
  const held = await driver.hold((session) =>
    session.execute([
      { text: 'begin read only', params: [] },
      { text: catalogueSql.scope, params: [] },
      { text: catalogueSql.namedTypes, params: [arrayLiteral(schemas)] },
      { text: 'commit', params: [] },
    ]),
  );
  if (!held.ok) return held;
  if (!held.value.ok) return held.value;
  const rows = held.value.value[2]?.rows ?? [];
  return ok(rows.map(([json]) => makeNamedType(JSON.parse(json?.toString() ?? ''))));
}

function makeNamedType({ printed, schema, name, description, ...row }: NamedTypeRow): NamedType {
  const known = { printed, schema, name, description };
  switch (row.kind) {
    case 'e':
      return { ...known, kind: 'enum', labels: row.labels ?? [] };
    case 'd':
      return { ...known, kind: 'domain', base: row.base ?? '' };
    case 'c':
      return { ...known, kind: 'composite', columns: row.columns ?? [] };
    case 'relation':
      return { ...known, kind: 'relation' };
  }
}
