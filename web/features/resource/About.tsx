// What is known of an item: its description and the facts.

import type { ReactNode } from 'react';
import type { Resource } from '../../api/types.ts';
import { extentOf } from '../../lib/bbox.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Link } from '../../ui/Link.tsx';
import { UserHtml } from '../../ui/UserHtml.tsx';
import { FollowSource } from '../social/FollowSource.tsx';

const NOTHING = 'No information provided';

export function About({ item }: { readonly item: Resource }) {
  const t = useText();
  return (
    <div className="stack">
      {item.abstract === '' ? <p className="soft">{t('resource.no-abstract')}</p> : <UserHtml html={item.abstract} />}
      {item.purpose !== null && item.purpose !== '' && (
        <section>
          <h3>{t('meta.purpose')}</h3>
          <UserHtml html={item.purpose} />
        </section>
      )}
      {item.supplemental_information !== '' && item.supplemental_information !== NOTHING && (
        <section>
          <h3>{t('meta.supplemental')}</h3>
          <UserHtml html={item.supplemental_information} />
        </section>
      )}
      {item.data_quality_statement !== null && item.data_quality_statement !== '' && (
        <section>
          <h3>{t('meta.quality')}</h3>
          <UserHtml html={item.data_quality_statement} />
        </section>
      )}
    </div>
  );
}

export function FactsPanel({ item }: { readonly item: Resource }) {
  const t = useText();
  return (
    <section className="panel">
      <h2>{t('resource.facts')}</h2>
      <Facts item={item} />
    </section>
  );
}

function Facts({ item }: { readonly item: Resource }) {
  const t = useText();
  const extent = extentOf(item.ll_bbox_polygon);
  const { owner, group, category, temporal_extent_start: start, temporal_extent_end: end } = item;
  const dateType = item.date_type === 'creation' || item.date_type === 'revision' ? item.date_type : 'publication';
  return (
    <dl className="facts">
      {owner !== null && (
        <Fact label={t('facet.owner')}>
          <span className="row tight">
            <Link to={`/?owner=${encodeURIComponent(owner.username)}`}>{owner.username}</Link>
            <FollowSource kind="users" id={owner.pk} name={owner.username} />
          </span>
        </Fact>
      )}
      {group !== null && (
        <Fact label={t('meta.group')}>
          <span className="row tight">
            {group.name}
            <FollowSource kind="groups" id={group.pk} name={group.name} />
          </span>
        </Fact>
      )}
      {category !== null && (
        <Fact label={t('meta.category')}>
          <Link to={`/?category=${encodeURIComponent(category.identifier)}`}>
            {t.entry('category', category.identifier)}
          </Link>
        </Fact>
      )}
      {item.keywords.length > 0 && (
        <Fact label={t('meta.keywords')}>
          <span className="row tight">
            {item.keywords.map(({ name, slug }) => (
              <Link key={slug} className="badge" to={`/?keyword=${encodeURIComponent(slug)}`}>
                {name}
              </Link>
            ))}
          </span>
        </Fact>
      )}
      <Fact label={t('meta.regions')}>{item.regions.map(({ name }) => name).join(', ')}</Fact>
      <Fact label={t(`date-type.${dateType}`)}>{t.date(item.date)}</Fact>
      <Fact label={t('meta.changed')}>{t.date(item.last_updated)}</Fact>
      <Fact label={t('meta.license')}>{item.license === null ? '' : t.entry('license', item.license.identifier)}</Fact>
      <Fact label={t('meta.attribution')}>{item.attribution}</Fact>
      <Fact label={t('meta.edition')}>{item.edition}</Fact>
      <Fact label={t('meta.doi')}>{item.doi}</Fact>
      <Fact label={t('meta.language')}>{languageName(item.language, t.language)}</Fact>
      <Fact label={t('meta.period')}>
        {start === null ? '' : `${t.date(start)} – ${end === null ? '' : t.date(end)}`}
      </Fact>
      <Fact label={t('meta.crs')}>{item.resource_type === 'layer' && item.subtype !== 'tabular' ? item.srid : ''}</Fact>
      <Fact label={t('meta.extent')}>
        {extent?.map((edge) => t.number(edge, { maximumFractionDigits: 2 })).join(' / ')}
      </Fact>
      <Fact label={t('meta.views')}>{t.number(Number(item.popular_count))}</Fact>
    </dl>
  );
}

/** Nothing is shown where nothing is known. */
function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  if (children === null || children === undefined || children === '') return null;
  return (
    <div className="fact">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function languageName(code: string, inLanguage: string): string {
  try {
    return new Intl.DisplayNames([inLanguage], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}
