// What a pop-up says of a feature: chosen columns as a list, or the layer's template, and charts below. A preview of it is the same.

import { fillHtml } from '../../../src/geo/presentation/fill-template.ts';
import type { Popup } from '../../../src/geo/presentation/presentation.ts';
import type { Layer } from '../../api/types.ts';
import { useText } from '../../lib/i18n/text.ts';
import { chartParts } from '../../lib/popup-chart.ts';
import { isPlace, readerWords, shownColumn, shownValue } from '../../lib/presentation.ts';
import { ShownValue } from '../../ui/ShownValue.tsx';
import { UserHtml } from '../../ui/UserHtml.tsx';
import { PopupCharts } from './PopupCharts.tsx';

type Row = Readonly<Record<string, unknown>>;

export function PopupBody({
  layer,
  popup,
  row,
  nameOf = (name) => name,
}: {
  readonly layer: Pick<Layer, 'attribute_set'>;
  readonly popup: Popup;
  readonly row: Row;
  /** Of what the catalogue does not describe. */
  readonly nameOf?: (name: string) => string;
}) {
  const t = useText();
  const attributes = layer.attribute_set.filter((one) => !isPlace(one));
  const byName = new Map(attributes.map((one) => [one.attribute, one]));
  const columns = attributes.map(shownColumn);
  const words = readerWords(t);
  const labels = new Map(attributes.map((one) => [one.attribute, one.attribute_label || one.attribute]));
  const names = listed(popup, attributes, row);
  const charts = popup.charts
    .map(({ kind, title, columns: chosen }) => ({
      kind,
      title,
      parts: chartParts(
        chosen,
        row,
        labels,
        (column, value) => shownValue(t, value, byName.get(column) ?? { attribute: column, format: null }).text,
      ),
    }))
    .filter(({ parts }) => parts.length > 0);
  return (
    <>
      {popup.kind === 'template' ? (
        <UserHtml html={fillHtml(popup.template, row, columns, words)} />
      ) : (
        names.length > 0 && (
          <dl className="facts">
            {names.map((name) => (
              <div className="fact" key={name}>
                <dt>{labels.get(name) ?? nameOf(name)}</dt>
                <dd>
                  <ShownValue shown={shownValue(t, row[name], byName.get(name) ?? { attribute: name, format: null })} />
                </dd>
              </div>
            ))}
          </dl>
        )
      )}
      {popup.kind === 'list' && names.length + charts.length === 0 && <p className="soft">{t('identify.nothing')}</p>}
      <PopupCharts charts={charts} />
    </>
  );
}

/** Those that were chosen, or all that are shown; none of them without a value. */
function listed(popup: Popup, attributes: Layer['attribute_set'], row: Row): readonly string[] {
  const known = new Set(attributes.map(({ attribute }) => attribute));
  const usual = [
    ...attributes.filter(({ visible }) => visible).map(({ attribute }) => attribute),
    ...Object.keys(row).filter((name) => !known.has(name)),
  ];
  const hasValue = (name: string): boolean => {
    const value = Object.hasOwn(row, name) ? row[name] : undefined;
    return value !== null && value !== undefined && value !== '';
  };
  return (popup.columns ?? usual).filter(hasValue);
}
