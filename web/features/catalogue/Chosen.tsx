// What the search is narrowed by, each with a way to take it back.

import type { CatalogueState } from '../../lib/catalogue-state.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Icon } from '../../ui/Icon.tsx';

export function Chosen({
  state,
  onChange,
}: {
  readonly state: CatalogueState;
  readonly onChange: (next: Partial<CatalogueState>) => void;
}) {
  const t = useText();
  const without = <T extends string>(list: readonly T[], gone: T): readonly T[] => list.filter((one) => one !== gone);
  const chips: { readonly key: string; readonly label: string; readonly next: Partial<CatalogueState> }[] = [
    ...state.types.map((one) => ({
      key: `t${one}`,
      label: t.entry('type', one),
      next: { types: without(state.types, one) },
    })),
    ...state.categories.map((one) => ({
      key: `c${one}`,
      label: t.entry('category', one),
      next: { categories: without(state.categories, one) },
    })),
    ...state.keywords.map((one) => ({
      key: `k${one}`,
      label: `#${one}`,
      next: { keywords: without(state.keywords, one) },
    })),
    ...state.regions.map((one) => ({ key: `r${one}`, label: one, next: { regions: without(state.regions, one) } })),
    ...state.owners.map((one) => ({ key: `o${one}`, label: `@${one}`, next: { owners: without(state.owners, one) } })),
    ...(state.favourites ? [{ key: 'favourites', label: t('favourite.mine'), next: { favourites: false } }] : []),
    ...(state.from === ''
      ? []
      : [{ key: 'from', label: t('chosen.from', { date: t.date(state.from) }), next: { from: '' } }]),
    ...(state.to === '' ? [] : [{ key: 'to', label: t('chosen.to', { date: t.date(state.to) }), next: { to: '' } }]),
    ...(state.extent === undefined ? [] : [{ key: 'extent', label: t('facet.extent'), next: { extent: undefined } }]),
  ];
  if (chips.length === 0) return null;
  return (
    <ul className="chips" aria-label={t('catalogue.chosen')}>
      {chips.map(({ key, label, next }) => (
        <li key={key}>
          <button
            type="button"
            className="chip"
            onClick={() => onChange(next)}
            aria-label={t('chosen.remove', { name: label })}
          >
            {label}
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
