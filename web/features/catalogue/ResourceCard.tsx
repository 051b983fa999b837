// Items of the catalogue as cards and as rows.

import type { Resource } from '../../api/types.ts';
import { useText } from '../../lib/i18n/text.ts';
import { excerptOf, markWords } from '../../lib/mark-words.ts';
import { pathOfResource } from '../../lib/route.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { MarkedText } from '../../ui/MarkedText.tsx';
import { SharingBadge } from '../resource/sharing/SharingBadge.tsx';
import { RatingMark } from '../social/RatingMark.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import type { Match } from './use-matches.ts';

/** `matches`: where the words of the search stand, by the number of the item. */
type Listed = { readonly items: readonly Resource[]; readonly matches?: ReadonlyMap<string, Match> | undefined };

/** `subtype`: a layer without places is a table to people. */
export function TypeMark({
  type,
  subtype,
}: {
  readonly type: Resource['resource_type'];
  readonly subtype?: Resource['subtype'];
}) {
  const t = useText();
  const isTable = subtype === 'tabular';
  return (
    <span className={`type-mark ${type}`}>
      <Icon name={isTable ? 'table' : type} />
      {isTable ? t('type.table') : t.entry('type', type)}
    </span>
  );
}

export function ownerName(owner: Resource['owner']): string {
  if (owner === null) return '';
  const full = `${owner.first_name} ${owner.last_name}`.trim();
  return full === '' ? owner.username : full;
}

/** The title, with what was searched for marked. */
function Title({ item, match }: { readonly item: Resource; readonly match: Match | undefined }) {
  return match === undefined ? item.title : <MarkedText parts={markWords(item.title, match.words)} />;
}

/** The abstract, or the piece of it that has the words; and what else was found by them. */
function AboutItem({ item, match }: { readonly item: Resource; readonly match: Match | undefined }) {
  const t = useText();
  if (match === undefined) return <p className="card-about">{item.raw_abstract}</p>;
  return (
    <>
      <p className="card-about">
        <MarkedText parts={excerptOf(item.raw_abstract, match.words)} />
      </p>
      {match.terms.length > 0 && (
        <p className="found-in">
          <span className="visually-hidden">{t('catalogue.found-in')}</span>
          {match.terms.map((term) => (
            <span key={term} className="badge">
              {term}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

export function CardGrid({ items, matches }: Listed) {
  const t = useText();
  return (
    <ul className="cards">
      {items.map((item) => (
        <li key={item.pk}>
          <article className="card">
            <Thumbnail item={item} />
            <div className="card-text">
              <div className="row apart">
                <TypeMark type={item.resource_type} subtype={item.subtype} />
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
                  <Title item={item} match={matches?.get(item.pk)} />
                </Link>
              </h2>
              <AboutItem item={item} match={matches?.get(item.pk)} />
              <p className="card-foot">
                <span>{ownerName(item.owner)}</span>
                <RatingMark item={item} />
                <time dateTime={item.last_updated}>{t.date(item.last_updated)}</time>
              </p>
            </div>
          </article>
        </li>
      ))}
    </ul>
  );
}

export function RowList({ items, matches }: Listed) {
  const t = useText();
  return (
    <ul className="rows">
      {items.map((item) => (
        <li key={item.pk} className="row-item">
          <Thumbnail item={item} />
          <div className="grow">
            <h2>
              <Link to={pathOfResource(item)} className="cover-link">
                <Title item={item} match={matches?.get(item.pk)} />
              </Link>
            </h2>
            <AboutItem item={item} match={matches?.get(item.pk)} />
          </div>
          <RatingMark item={item} />
          <SharingBadge sharing={item.sharing} />
          <TypeMark type={item.resource_type} subtype={item.subtype} />
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
