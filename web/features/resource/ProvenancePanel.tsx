// Where the data of a layer came from, when they were renewed last and by what, whether that is as often as declared, and what was made of them.

import type { Layer } from '../../api/types.ts';
import { useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Link } from '../../ui/Link.tsx';

export function ProvenancePanel({ layer }: { readonly layer: Layer }) {
  const t = useText();
  const [loaded] = useFresh(`/api/v2/layers/${layer.pk}/provenance/`);
  if (loaded.kind !== 'loaded') return null;
  const { source, updated, how, by, of, frequency, due, freshness, made } = loaded.value.provenance;
  return (
    <section className="panel">
      <h2>{t('provenance.title')}</h2>
      <dl className="facts">
        <div className="fact">
          <dt>{t('provenance.source')}</dt>
          <dd>
            {t(`provenance.source.${source}`)}
            {of !== null && how === source && <span className="soft"> · {of}</span>}
          </dd>
        </div>
        {updated !== null && (
          <div className="fact">
            <dt>{t('provenance.updated')}</dt>
            <dd>
              {t.time(updated)}
              {how !== null && <span className="soft"> · {t(`provenance.how.${how}`)}</span>}
              {by !== null && <span className="soft"> · {by}</span>}
            </dd>
          </div>
        )}
        {frequency !== null && (
          <div className="fact">
            <dt>{t('provenance.frequency')}</dt>
            <dd>
              {t.find(`frequency.${frequency}`) ?? frequency}
              {due !== null && <span className="soft"> · {t.date(due)}</span>}{' '}
              {freshness !== null && (
                <span className={freshness === 'fresh' ? 'badge' : 'badge warm'}>{t(`provenance.${freshness}`)}</span>
              )}
            </dd>
          </div>
        )}
        {made.length > 0 && (
          <div className="fact">
            <dt>{t('provenance.made')}</dt>
            <dd>
              <ul>
                {made.map(({ id, title }) => (
                  <li key={id}>
                    <Link to={`/layers/${id}`}>{title}</Link>
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
