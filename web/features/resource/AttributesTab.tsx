// The columns of a layer: what they hold, their statistics, and a plot of the chosen one.

import { useState } from 'react';
import { isColumnStatistics, statisticsPath } from '../../api/statistics.ts';
import type { Attribute, Layer } from '../../api/types.ts';
import { useLoadedFor } from '../../api/use-loaded.ts';
import { barsOf, WORDS } from '../../lib/bars.ts';
import { dataNumber } from '../../lib/data-number.ts';
import { useText } from '../../lib/i18n/text.ts';
import { shownValue } from '../../lib/presentation.ts';
import { failureText } from '../../lib/server-message.ts';
import { Empty, Waiting } from '../../ui/States.tsx';
import { Plot } from './Plot.tsx';

const STATISTICS = ['min', 'max', 'average', 'median', 'stddev'] as const;

export function AttributesTab({ layer }: { readonly layer: Layer }) {
  const t = useText();
  const attributes = layer.attribute_set.filter(({ attribute_type }) => !attribute_type.startsWith('gml:'));
  const [chosen, setChosen] = useState<string | undefined>(attributes[0]?.attribute);
  if (attributes.length === 0) return <Empty title={t('attributes.none')} icon="table" />;
  return (
    <div className="attributes">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="scroll-x" tabIndex={0} aria-label={t('resource.attributes')}>
        <table className="data-table">
          <thead>
            <tr>
              <th scope="col">{t('attributes.name')}</th>
              <th scope="col">{t('attributes.type')}</th>
              {STATISTICS.map((name) => (
                <th key={name} scope="col" className="right">
                  {t(`attributes.${name}`)}
                </th>
              ))}
              <th scope="col">{t('attributes.plot')}</th>
            </tr>
          </thead>
          <tbody>
            {attributes.map((one) => (
              <tr key={one.pk} className={one.attribute === chosen ? 'chosen' : ''}>
                <th scope="row">
                  {one.attribute_label || one.attribute}
                  {one.description !== null && one.description !== '' && <div className="soft">{one.description}</div>}
                </th>
                <td>{typeName(one, t)}</td>
                {STATISTICS.map((name) => (
                  <td key={name} className="right">
                    {statistic(one[name], one, t)}
                  </td>
                ))}
                <td>
                  <button
                    type="button"
                    className="button small"
                    aria-pressed={one.attribute === chosen}
                    onClick={() => setChosen(one.attribute)}
                    aria-label={t('attributes.show-plot-of', { name: one.attribute_label ?? one.attribute })}
                  >
                    {t('attributes.show')}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {chosen !== undefined && <AttributePlot layer={layer} attribute={chosen} />}
    </div>
  );
}

function typeName({ attribute_type }: Attribute, t: ReturnType<typeof useText>): string {
  return t.entry('xsd', attribute_type.replace(/^xsd:/, ''));
}

function statistic(text: string, column: Attribute, t: ReturnType<typeof useText>): string {
  if (text === 'NA' || text === '') return '–';
  const n = Number(text);
  const value = Number.isFinite(n) ? n : text;
  if (column.format !== null) return shownValue(t, value, column).text;
  return typeof value === 'number' ? dataNumber(t, value, column.attribute, 3) : value;
}

function AttributePlot({ layer, attribute }: { readonly layer: Layer; readonly attribute: string }) {
  const t = useText();
  const [loaded] = useLoadedFor(
    isColumnStatistics,
    statisticsPath({ name: layer.name, filter: undefined }, attribute, { categories: WORDS }),
  );
  switch (loaded.kind) {
    case 'loading':
      return <Waiting />;
    case 'failed':
      return <p className="notice warm">{failureText(t, loaded.failure)}</p>;
    case 'loaded': {
      const { rows, values, sampled_from: total } = loaded.value;
      if (values === 0) return <p className="soft">{t('attributes.no-values')}</p>;
      return (
        <figure className="stack tight">
          <Plot
            bars={barsOf(t, attribute, loaded.value, t('attributes.other'))}
            label={t('attributes.plot-of', { name: attribute })}
          />
          <figcaption className="soft small-text">
            {total === null
              ? t('attributes.all', { name: attribute, n: t.number(rows) })
              : t('attributes.sample', { name: attribute, n: t.number(rows), total: t.number(total) })}
          </figcaption>
        </figure>
      );
    }
  }
}
