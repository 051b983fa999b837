// The columns of a layer: what they hold, their statistics, and a plot of the chosen one.

import { useEffect, useState } from 'react';
import type { Failure } from '../../api/failure.ts';
import { restName, restRows } from '../../api/rest.ts';
import type { Attribute, Layer } from '../../api/types.ts';
import { type Bar, barsOf } from '../../lib/bars.ts';
import { useText } from '../../lib/i18n/text.ts';
import { failureText } from '../../lib/server-message.ts';
import { useSession } from '../../lib/session.ts';
import { Empty, Waiting } from '../../ui/States.tsx';
import { Plot } from './Plot.tsx';

const SAMPLE = 5000;
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
                  {one.attribute_label ?? one.attribute}
                  {one.description !== null && one.description !== '' && <div className="soft">{one.description}</div>}
                </th>
                <td>{typeName(one, t)}</td>
                {STATISTICS.map((name) => (
                  <td key={name} className="right">
                    {statistic(one[name], t)}
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

function statistic(text: string, t: ReturnType<typeof useText>): string {
  if (text === 'NA' || text === '') return '–';
  const n = Number(text);
  return Number.isFinite(n) ? t.number(n, { maximumFractionDigits: 3 }) : text;
}

type Plotted =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'loaded'; readonly bars: readonly Bar[]; readonly n: number; readonly total: number };

function AttributePlot({ layer, attribute }: { readonly layer: Layer; readonly attribute: string }) {
  const t = useText();
  const { user } = useSession();
  const [plotted, setPlotted] = useState<Plotted>({ kind: 'loading' });
  const other = t('attributes.other');
  useEffect(() => {
    if (user === undefined) return;
    const gone = new AbortController();
    setPlotted({ kind: 'loading' });
    const path = `${encodeURIComponent(layer.name)}?select=value:${encodeURIComponent(restName(attribute))}&limit=${SAMPLE}`;
    restRows(path, user !== null, gone.signal).then(
      (reply) => {
        if (!reply.ok) return setPlotted({ kind: 'failed', failure: reply.error });
        const { rows, total } = reply.value;
        setPlotted({
          kind: 'loaded',
          bars: barsOf(
            rows.map((row) => row['value']),
            other,
          ),
          n: rows.length,
          total: total ?? rows.length,
        });
      },
      () => undefined,
    );
    return () => gone.abort();
  }, [layer.name, attribute, user, other]);
  switch (plotted.kind) {
    case 'loading':
      return <Waiting />;
    case 'failed':
      return <p className="notice warm">{failureText(t, plotted.failure)}</p>;
    case 'loaded':
      if (plotted.bars.length === 0) return <p className="soft">{t('attributes.no-values')}</p>;
      return (
        <figure className="stack tight">
          <Plot bars={plotted.bars} label={t('attributes.plot-of', { name: attribute })} />
          <figcaption className="soft small-text">
            {plotted.n < plotted.total
              ? t('attributes.sample', { name: attribute, n: t.number(plotted.n), total: t.number(plotted.total) })
              : t('attributes.all', { name: attribute, n: t.number(plotted.n) })}
          </figcaption>
        </figure>
      );
  }
}
