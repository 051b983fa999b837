// Beside the map: which features of a layer it shows, what readers may choose from, and the rows that pass as a file.

import { useState } from 'react';
import { dataColumns } from '../../lib/dashboard/columns.ts';
import type { ColumnKind } from '../../lib/feature-schema.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { FilterControl } from '../../lib/map-config.ts';
import { downloadPath } from '../../lib/row-paths.ts';
import { withLink } from '../../lib/share-link.ts';
import { IconButton } from '../../ui/Button.tsx';
import { OwnFilter } from './OwnFilter.tsx';
import { FilterConditions } from './table/FilterConditions.tsx';
import { kindOf } from './table/FilterFields.tsx';
import { useLayerSchema } from './table/use-layer-schema.ts';
import type { ViewerAction, ViewerLayer } from './viewer-state.ts';
import './filter.css';

const NO_KINDS: ReadonlyMap<string, ColumnKind> = new Map();
const FORMATS = { csv: 'CSV', geojson: 'GeoJSON', gpkg: 'GeoPackage', 'shp.zip': 'Shapefile' } as const;

export function FilterPanel({
  one,
  change,
  onClose,
}: {
  readonly one: ViewerLayer;
  readonly change: (action: ViewerAction) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const { key, layer, filter, controls } = one;
  const [hasAliases, setAliases] = useState(false);
  const schema = useLayerSchema(layer.name);
  const kinds = schema.isKnown ? schema.kinds : NO_KINDS;
  const columns = layer.attribute_set.filter(
    (column) => column.visible && !column.attribute_type.startsWith('gml:') && kindOf(column, kinds) !== 'json',
  );
  const offered = dataColumns(layer).filter(({ name }) => !controls.some(({ column }) => column === name));
  const setControls = (next: readonly FilterControl[]): void => change({ kind: 'controls', key, controls: next });
  const labels = new Map(
    layer.attribute_set.map((column) => [column.attribute, column.attribute_label ?? column.attribute]),
  );
  return (
    <div className="stack filter-panel">
      <div className="row apart side-head">
        <h2>{t('filter.title', { title: layer.title })}</h2>
        <IconButton icon="close" name={t('action.close')} onClick={onClose} />
      </div>
      <FilterConditions
        columns={columns}
        kinds={kinds}
        filter={filter}
        onChange={(next) => change({ kind: 'filter', key, filter: next })}
      />
      <p className="soft small-text">{t('filter.saved-with-map')}</p>
      {layer.perms.includes('change_resourcebase') && (
        <OwnFilter one={one} onSaved={(saved) => change({ kind: 'layer', layer: saved })} />
      )}
      <section className="stack" aria-label={t('filter.controls')}>
        <h3>{t('filter.controls')}</h3>
        <p className="soft small-text">{t('filter.controls-about')}</p>
        {controls.length > 0 && (
          <ul className="filter-controls">
            {controls.map((control) => (
              <li key={control.column} className="row tight">
                <span className="grow">
                  {labels.get(control.column) ?? control.column}{' '}
                  <span className="soft small-text">{t(`filter.control.${control.kind}`)}</span>
                </span>
                <IconButton
                  small
                  icon="close"
                  name={t('filter.control-remove', { name: labels.get(control.column) ?? control.column })}
                  onClick={() => setControls(controls.filter((other) => other !== control))}
                />
              </li>
            ))}
          </ul>
        )}
        {offered.length > 0 && (
          <select
            className="input small"
            aria-label={t('filter.control-add')}
            value=""
            onChange={(event) => {
              const column = offered.find(({ name }) => name === event.target.value);
              if (column === undefined) return;
              const kind = column.kind === 'number' ? 'range' : column.kind === 'date' ? 'date' : 'choice';
              setControls([...controls, { column: column.name, kind }]);
            }}
          >
            <option value="">{t('filter.control-add')}</option>
            {offered.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        )}
      </section>
      {layer.perms.includes('download_resourcebase') && (
        <section className="stack" aria-label={t('filter.download')}>
          <h3>{t('filter.download')}</h3>
          <label className="check small-text">
            <input type="checkbox" checked={hasAliases} onChange={(event) => setAliases(event.target.checked)} />
            {t('download.aliases')}
          </label>
          <div className="row">
            {Object.entries(FORMATS).map(([format, label]) => (
              <a
                key={format}
                className="button small"
                href={withLink(downloadPath(layer.name, format, filter, hasAliases))}
                download
              >
                {label}
              </a>
            ))}
          </div>
        </section>
      )}
    </div>
  );
}
