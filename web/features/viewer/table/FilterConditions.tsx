// The conditions of a filter, one below or beside the other, and whether all or any of them have to hold. Told when somebody has stopped typing.

import { useEffect, useRef, useState } from 'react';
import type { ColumnKind } from '../../../lib/feature-schema.ts';
import { useText } from '../../../lib/i18n/text.ts';
import {
  allOf,
  asked,
  type Conditions,
  type LayerFilter,
  MAX_CONDITIONS,
  withKind,
} from '../../../lib/layer-filter.ts';
import type { TableFilter } from '../../../lib/table-filter.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { FilterFields, kindOf, startFilter } from './FilterFields.tsx';
import type { GridColumn } from './grid-column.ts';

const TYPING_MS = 300;

export function FilterConditions({
  columns,
  kinds,
  filter,
  onChange,
}: {
  readonly columns: readonly GridColumn[];
  readonly kinds: ReadonlyMap<string, ColumnKind>;
  readonly filter: LayerFilter | undefined;
  readonly onChange: (filter: LayerFilter | undefined) => void;
}) {
  const t = useText();
  const [first] = columns;
  const start = startFilter(first, kindOf(first, kinds));
  const [draft, setDraft] = useState<Conditions>();
  const told = useRef(JSON.stringify(filter));
  const tell = useRef(onChange);
  tell.current = onChange;
  // Changed elsewhere: by a chip, or in the other place where conditions are written.
  const now = JSON.stringify(filter);
  useEffect(() => {
    if (now === told.current) return;
    told.current = now;
    setDraft(undefined);
  }, [now]);
  useEffect(() => {
    if (draft === undefined) return;
    const later = window.setTimeout(() => {
      const next = asked(draft);
      if (JSON.stringify(next) === told.current) return;
      told.current = JSON.stringify(next);
      tell.current(next);
    }, TYPING_MS);
    return () => window.clearTimeout(later);
  }, [draft]);
  if (filter?.kind === 'cql')
    return (
      <div className="row tight">
        <span>{t('filter.other')}</span>
        <IconButton small icon="close" name={t('filter.clear')} onClick={() => onChange(undefined)} />
      </div>
    );
  const shown = draft ?? filter ?? allOf(start);
  const conditions = shown.conditions.map((one) => {
    // Until it is known what the columns hold, the first one is only guessed.
    if (draft === undefined && filter === undefined) return start;
    return withKind(one, kinds.get(one.column));
  });
  const set = (next: readonly TableFilter[], join = shown.join): void =>
    setDraft({ kind: 'conditions', join, conditions: next.length === 0 ? [start] : next });
  return (
    <div className="filter-conditions">
      {conditions.map((one, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a condition is known by its place.
        <div className="row tight filter-row" key={i}>
          {i > 0 && (
            <select
              className="input small"
              aria-label={t('filter.join')}
              value={shown.join}
              onChange={(event) => set(conditions, event.target.value === 'or' ? 'or' : 'and')}
            >
              <option value="and">{t('filter.and')}</option>
              <option value="or">{t('filter.or')}</option>
            </select>
          )}
          <FilterFields
            columns={columns}
            kinds={kinds}
            filter={one}
            onChange={(next) => set(conditions.map((other, at) => (at === i ? next : other)))}
          />
          {(conditions.length > 1 || asked(allOf(one)) !== undefined) && (
            <IconButton
              small
              icon="close"
              name={t('filter.remove')}
              onClick={() => set(conditions.filter((_, at) => at !== i))}
            />
          )}
        </div>
      ))}
      {asked(shown) !== undefined && conditions.length < MAX_CONDITIONS && (
        <Button small icon="plus" onClick={() => set([...conditions, start])}>
          {t('filter.add')}
        </Button>
      )}
    </div>
  );
}
