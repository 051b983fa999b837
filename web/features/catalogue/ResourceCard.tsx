// Items of the catalogue as cards and as rows.

import type { Resource } from '../../api/types.ts';
import { useText } from '../../lib/i18n/text.ts';
import { pathOfResource } from '../../lib/route.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { SharingBadge } from '../resource/sharing/SharingBadge.tsx';
import { Thumbnail } from './Thumbnail.tsx';

export function TypeMark({ type }: { readonly type: Resource['resource_type'] }) {
  const t = useText();
  return (
    <span className={`type-mark ${type}`}>
      <Icon name={type} />
      {t.entry('type', type)}
    </span>
  );
}

export function ownerName(owner: Resource['owner']): string {
  if (owner === null) return '';
  const full = `${owner.first_name} ${owner.last_name}`.trim();
  return full === '' ? owner.username : full;
}

export function CardGrid({ items }: { readonly items: readonly Resource[] }) {
  const t = useText();
  return (
    <ul className="cards">
      {items.map((item) => (
        <li key={item.pk}>
          <article className="card">
            <Thumbnail item={item} />
            <div className="card-text">
              <div className="row apart">
                <TypeMark type={item.resource_type} />
                <SharingBadge sharing={item.sharing} />
                {item.featured && (
                  <span className="badge warm">
                    <Icon name="star" />
                    {t('featured')}
                  </span>
                )}
                {!item.is_published && <span className="badge">{t('unpublished')}</span>}
              </div>
              <h2>
                <Link to={pathOfResource(item)} className="cover-link">
                  {item.title}
                </Link>
              </h2>
              <p className="card-about">{item.raw_abstract}</p>
              <p className="card-foot">
                <span>{ownerName(item.owner)}</span>
                <time dateTime={item.last_updated}>{t.date(item.last_updated)}</time>
              </p>
            </div>
          </article>
        </li>
      ))}
    </ul>
  );
}

export function RowList({ items }: { readonly items: readonly Resource[] }) {
  const t = useText();
  return (
    <ul className="rows">
      {items.map((item) => (
        <li key={item.pk} className="row-item">
          <Thumbnail item={item} />
          <div className="grow">
            <h2>
              <Link to={pathOfResource(item)} className="cover-link">
                {item.title}
              </Link>
            </h2>
            <p className="card-about">{item.raw_abstract}</p>
          </div>
          <SharingBadge sharing={item.sharing} />
          <TypeMark type={item.resource_type} />
          <span className="row-owner soft small-text">{ownerName(item.owner)}</span>
          <time className="soft small-text number" dateTime={item.last_updated}>
            {t.date(item.last_updated)}
          </time>
        </li>
      ))}
    </ul>
  );
}

export function CardSkeletons() {
  return (
    <ul className="cards" aria-hidden="true">
      {[0, 1, 2, 3, 4, 5].map((i) => (
        <li key={i}>
          <div className="card">
            <div className="thumb skeleton" />
            <div className="card-text">
              <div className="skeleton line-a" />
              <div className="skeleton line-b" />
              <div className="skeleton line-c" />
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}
