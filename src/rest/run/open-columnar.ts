// Begins a body of columns: its sink of rows, and what has to be asked before them. The libraries that write the formats are loaded with the first.

import type { SpatialOids } from '../../columnar/column-type.ts';
import { ColumnarRows } from '../../columnar/columnar-rows.ts';
import type { RowSink, Statement } from '../../pg/driver.ts';
import type { ColumnarFormat } from '../plan/columnar.ts';

export type OpenedColumnar = { readonly rows: ColumnarRows; readonly before: Statement };

/** `postgis`: the schema of the extension; undefined: it is not there. */
export async function openColumnar({ kind }: ColumnarFormat, postgis: string | undefined): Promise<OpenedColumnar> {
  const oids = new OidRow();
  return { rows: await rowsOf(kind, oids), before: beforeRows(postgis, oids) };
}

async function rowsOf(kind: ColumnarFormat['kind'], oids: SpatialOids): Promise<ColumnarRows> {
  if (kind === 'arrow') return new ColumnarRows(oids, (await import('../../columnar/arrow-writer.ts')).arrowWriter);
  return new ColumnarRows(oids, (await import('../../columnar/parquet-writer.ts')).parquetWriter);
}

/**
 * Dates and bytes come in one style, whatever the role has set, and the numbers of PostGIS' types are told. The order in which a role reads
 * days and months stays its own.
 */
function beforeRows(postgis: string | undefined, into: RowSink): Statement {
  // From the catalogue, which whoever may not enter the schema may read, too.
  const oid = (name: string): string =>
    postgis === undefined
      ? 'null'
      : `(select t.oid from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace where n.nspname = $1 and t.typname = '${name}')`;
  return {
    text: `select ${oid('geometry')}, ${oid('geography')}, set_config('datestyle', 'ISO', true), set_config('bytea_output', 'hex', true), set_config('extra_float_digits', '1', true)`,
    params: postgis === undefined ? [] : [postgis],
    name: postgis === undefined ? 'columnar_scope' : 'columnar_scope_spatial',
    into,
  };
}

class OidRow implements RowSink, SpatialOids {
  geometry: number | undefined;
  geography: number | undefined;

  begin(): void {}

  row(bytes: Buffer, start: number): void {
    let at = start + 2;
    const next = (): number | undefined => {
      const length = bytes.readInt32BE(at);
      at += 4 + Math.max(0, length);
      return length < 0 ? undefined : Number(bytes.toString('latin1', at - length, at));
    };
    this.geometry = next();
    this.geography = next();
  }
}
