// The rows behind a layer: filtered and sorted by the portal. The filter is that of the layer on the map; a chosen row is shown there, and a
// feature clicked there is the chosen row here.

import type { FeatureCollection } from 'geojson';
import { useEffect, useMemo, useRef, useState } from 'react';
import { loadShape } from '../../../api/features.ts';
import { featureStore } from '../../../api/row-store.ts';
import type { Extent } from '../../../lib/catalogue-state.ts';
import type { RowTarget } from '../../../lib/clean-expression.ts';
import type { FormField } from '../../../lib/edit/feature-form.ts';
import type { ColumnKind } from '../../../lib/feature-schema.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { filterCql, type LayerFilter } from '../../../lib/layer-filter.ts';
import { failureText } from '../../../lib/server-message.ts';
import { useSession } from '../../../lib/session.ts';
import { extentOfShapes } from '../../../lib/shapes.ts';
import type { Picked } from '../../../map/MapView.tsx';
import { IconButton } from '../../../ui/Button.tsx';
import { PageTurn } from '../../../ui/PageTurn.tsx';
import { CleanMenu } from '../clean/CleanMenu.tsx';
import { ConflictDialog } from '../edit/ConflictDialog.tsx';
import type { ViewerLayer } from '../viewer-state.ts';
import { FilterConditions } from './FilterConditions.tsx';
import { kindOf } from './FilterFields.tsx';
import { RowsTable } from './RowsTable.tsx';
import { TickedBar } from './TickedBar.tsx';
import { useAttributes } from './use-attributes.ts';
import { useCellEdit } from './use-cell-edit.ts';
import { useLayerSchema } from './use-layer-schema.ts';
import { type TableSort, useTableRows } from './use-table-rows.ts';
import { useTicked } from './use-ticked.ts';

export type ChosenRow = { readonly name: string | number; readonly shape: FeatureCollection };

const NO_FIELDS: readonly FormField[] = [];
const NO_KINDS: ReadonlyMap<string, ColumnKind> = new Map();

export function AttributeTable({
  one,
  chosen,
  clicked,
  extent,
  saved,
  onChoose,
  onFilter,
  onSaved,
  onClose,
}: {
  readonly one: ViewerLayer;
  readonly chosen: ChosenRow | undefined;
  /** The feature of this layer that was last clicked on the map. */
  readonly clicked: Picked | undefined;
  /** What the map shows. */
  readonly extent: Extent | undefined;
  /** `around`: where to look at it. */
  readonly onChoose: (row: ChosenRow | undefined, around: Extent | undefined) => void;
  readonly onFilter: (filter: LayerFilter | undefined) => void;
  /** How often the layer was saved: its rows are read anew each time. */
  readonly saved: number;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const { user } = useSession();
  const { layer } = one;
  const [changes, setChanges] = useState(0);
  const attributes = useAttributes(layer, changes);
  const columns = useMemo(
    () => attributes.filter(({ attribute_type, visible }) => visible && !attribute_type.startsWith('gml:')),
    [attributes],
  );
  const schema = useLayerSchema(layer.name, changes);
  const keyColumn = schema.isKnown ? schema.key : undefined;
  const kinds = schema.isKnown ? schema.kinds : NO_KINDS;
  // Of what the catalogue lists, what the table has.
  const shown = useMemo(
    () => (kinds.size === 0 ? undefined : columns.map(({ attribute }) => attribute).filter((name) => kinds.has(name))),
    [columns, kinds],
  );
  // Of documents within a row nothing can be asked here.
  const asking = columns.filter((column) => kindOf(column, kinds) !== 'json');
  const asked = one.filter;
  const [sort, setSort] = useState<TableSort>();
  const [page, setPage] = useState(0);
  const [isInView, setInView] = useState(false);
  const { rows, failure, hasNext } = useTableRows(layer.name, schema, {
    filter: asked,
    columns: shown,
    sort,
    page,
    extent: isInView ? extent : undefined,
    saved,
  });
  const store = useMemo(() => featureStore(layer.name), [layer.name]);
  const fields = schema.isKnown ? schema.fields : NO_FIELDS;
  const edit = useCellEdit(store, fields, onSaved);
  const ticked = useTicked(JSON.stringify([asked, sort, page, isInView]));
  const mayEdit = layer.perms.includes('change_layer_data') && keyColumn !== undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows begin with their first page.
  useEffect(() => setPage(0), [asked]);

  // The last choice counts, not the last answer; and none once the table is closed.
  const turn = useRef(0);
  useEffect(
    () => () => {
      turn.current += 1;
    },
    [],
  );
  const choose = async (name: string | number, isFromMap: boolean): Promise<void> => {
    if (keyColumn === undefined) return;
    turn.current += 1;
    const asked = turn.current;
    const shape = await loadShape(layer.name, { key: keyColumn, value: name }, user !== null && user !== undefined);
    if (asked !== turn.current) return;
    onChoose({ name, shape }, isFromMap ? undefined : extentOfShapes(shape));
  };
  // Keys that are no numbers travel among the attributes of a tile's features.
  const named = clicked?.id ?? (keyColumn === undefined ? undefined : clicked?.properties[keyColumn]);
  const fromMap = typeof named === 'string' || typeof named === 'number' ? named : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a feature clicked on the map is looked up once.
  useEffect(() => {
    if (fromMap !== undefined) void choose(fromMap, true);
  }, [fromMap, keyColumn]);

  const box = useRef<HTMLElement>(null);
  // On a phone it stands below the layers.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);

  const total = rows?.total;
  const target: RowTarget =
    ticked.names.size > 0 && !ticked.isAll && keyColumn !== undefined
      ? { kind: 'some', key: keyColumn, names: [...ticked.names] }
      : { kind: 'all', filter: filterCql(asked), extent: isInView ? extent : undefined };
  return (
    <section ref={box} className="attribute-table" aria-label={t('table.of', { title: layer.title })}>
      <div className="table-bar">
        <h2>{layer.title}</h2>
        <FilterConditions columns={asking} kinds={kinds} filter={asked} onChange={onFilter} />
        <label className="check small-text">
          <input
            type="checkbox"
            checked={isInView}
            onChange={(event) => {
              setInView(event.target.checked);
              setPage(0);
            }}
          />
          {t('table.in-view')}
        </label>
        <span className="soft small-text number" role="status">
          {total === undefined ? '' : t.count('table.rows', total)}
        </span>
        <span className="grow" />
        {mayEdit && (
          <CleanMenu
            layer={layer}
            columns={columns.filter(({ attribute }) => attribute !== keyColumn && kinds.has(attribute))}
            target={target}
            total={total}
            onDone={() => {
              ticked.clear();
              setChanges((count) => count + 1);
              onSaved();
            }}
          />
        )}
        <PageTurn page={page} isLast={!hasNext} onTurn={setPage} />
        <IconButton small icon="close" name={t('table.hide')} onClick={onClose} />
      </div>
      <TickedBar ticked={ticked} total={total} fields={fields} store={store} onDone={onSaved} />
      {failure !== undefined &&
        (layer.perms.includes('download_resourcebase') ? (
          <p className="notice bad">{failureText(t, failure)}</p>
        ) : (
          <p className="notice">{t('table.needs-download')}</p>
        ))}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="table-rows" tabIndex={0} aria-label={t('table.rows-of', { title: layer.title })}>
        <RowsTable
          columns={columns}
          rows={rows?.rows ?? []}
          keyColumn={keyColumn}
          sort={sort}
          onSort={setSort}
          chosen={chosen?.name}
          edit={mayEdit ? edit : undefined}
          ticked={mayEdit ? ticked.names : undefined}
          onTick={ticked.tick}
          onChoose={(name) => {
            if (name !== undefined) return void choose(name, false);
            turn.current += 1;
            onChoose(undefined, undefined);
          }}
        />
        {rows?.rows.length === 0 && <p className="soft table-empty">{t('table.empty')}</p>}
      </section>
      {edit.conflict !== undefined && (
        <ConflictDialog
          layer={layer}
          mine={edit.conflict.mine}
          theirs={edit.conflict.theirs}
          fields={fields}
          onMine={() => void edit.keepMine()}
          onTheirs={edit.takeTheirs}
          onClose={edit.takeTheirs}
        />
      )}
    </section>
  );
}
