// The rows of a table of the REST service as a grid: looked through by everybody who may, edited by those who may.

import { useMemo } from 'react';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import type { Table } from '../../lib/swagger.ts';
import { Link } from '../../ui/Link.tsx';
import { Waiting } from '../../ui/States.tsx';
import type { GridColumn } from '../viewer/table/grid-column.ts';
import { RowsGrid } from '../viewer/table/RowsGrid.tsx';

/** Types of the database, as the description of the service names them → those that forms and filters know. */
const TYPES: Readonly<Record<string, string>> = {
  smallint: 'xsd:short',
  integer: 'xsd:int',
  bigint: 'xsd:long',
  real: 'xsd:float',
  'double precision': 'xsd:double',
  boolean: 'xsd:boolean',
  date: 'xsd:date',
  'timestamp without time zone': 'xsd:dateTime',
  'timestamp with time zone': 'xsd:dateTime',
};

export function TableData({ table }: { readonly table: Table }) {
  const t = useText();
  const { user } = useSession();
  const isSignedIn = user !== null && user !== undefined;
  // Grants let everybody with an account try: whether somebody may, the record of the layer says.
  const [found] = useLoaded(`/api/v2/layers/?filter{name}=${encodeURIComponent(table.name)}&page_size=1`);
  const columns = useMemo(
    () =>
      table.columns
        .filter(({ type }) => !/^(?:public\.)?geo(?:metry|graphy)/.test(type))
        .map(
          ({ name, type, about }): GridColumn => ({
            attribute: name,
            attribute_label: null,
            attribute_type: TYPES[type] ?? (type.startsWith('numeric') ? 'xsd:decimal' : 'xsd:string'),
            description: about === '' ? null : about,
          }),
        ),
    [table],
  );
  if (found.kind === 'loading') return <Waiting />;
  const layer = found.kind === 'loaded' ? found.value.layers[0] : undefined;
  const [key, ...others] = table.columns.filter(({ isKey }) => isKey);
  const keyColumn = others.length === 0 ? key?.name : undefined;
  const may = isSignedIn && (layer === undefined || layer.perms.includes('change_layer_data'));
  const isPlaced = columns.length < table.columns.length;
  return (
    <section className="stack" aria-label={table.name}>
      <div>
        <h2>{table.name}</h2>
        {layer !== undefined && (
          <p className="soft">
            <Link to={`/layers/${layer.pk}`}>{layer.title}</Link>
          </p>
        )}
      </div>
      {may && keyColumn === undefined && <p className="notice">{t('data.no-key')}</p>}
      <RowsGrid
        key={table.name}
        table={table.name}
        title={table.name}
        columns={columns}
        keyColumn={keyColumn}
        mayEdit={may && table.methods.includes('PATCH')}
        // What has a place is drawn on the map.
        adds={may && !isPlaced && table.methods.includes('POST') ? 'form' : undefined}
      />
    </section>
  );
}
