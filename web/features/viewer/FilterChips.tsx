// What a layer is filtered by, below its name: a chip for each condition or group of them, which whoever may change the map takes away.

import { useText } from '../../lib/i18n/text.ts';
import { type LayerFilter, partText } from '../../lib/layer-filter.ts';
import { Icon } from '../../ui/Icon.tsx';
import './filter.css';

export function FilterChips({
  filter,
  names,
  onChange,
}: {
  readonly filter: LayerFilter;
  readonly names: ReadonlyMap<string, string>;
  /** Undefined: they are only told. */
  readonly onChange?: (filter: LayerFilter | undefined) => void;
}) {
  const t = useText();
  const chips =
    filter.kind === 'cql'
      ? [{ text: t('filter.other'), without: undefined }]
      : filter.conditions.map((one, i) => {
          const conditions = filter.conditions.filter((_, at) => at !== i);
          return {
            text: partText(t, one, names),
            without: conditions.length === 0 ? undefined : { ...filter, conditions },
          };
        });
  const join = filter.kind === 'conditions' ? t(`filter.${filter.join}`) : '';
  return (
    <ul className="filter-chips" aria-label={t('filter.chips')}>
      {chips.map(({ text, without }, i) => (
        <li key={text}>
          {i > 0 && <span className="soft small-text">{join} </span>}
          {onChange === undefined ? (
            <span className="chip">{text}</span>
          ) : (
            <button
              type="button"
              className="chip"
              title={t('filter.remove-one', { condition: text })}
              aria-label={t('filter.remove-one', { condition: text })}
              onClick={() => onChange(without)}
            >
              {text}
              <Icon name="close" />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
