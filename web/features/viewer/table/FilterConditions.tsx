// The conditions of a filter and groups of them, one below or beside the other, and whether all or any of them have to hold. Told when somebody has stopped typing.

import { useEffect, useRef, useState } from 'react';
import type { ColumnKind } from '../../../lib/feature-schema.ts';
import { useText } from '../../../lib/i18n/text.ts';
import {
  allOf,
  asked,
  type Conditions,
  countOf,
  type FilterPart,
  isGroup,
  type LayerFilter,
  MAX_CONDITIONS,
  MAX_GROUP_DEPTH,
  withKind,
} from '../../../lib/layer-filter.ts';
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
  // Until it is known what the columns hold, the first one is only guessed.
  const isGuessed = draft === undefined && filter === undefined;
  return (
    <GroupFields
      columns={columns}
      kinds={kinds}
      group={isGuessed ? allOf(start) : shown}
      depth={0}
      room={MAX_CONDITIONS - countOf(shown)}
      onChange={(next) => setDraft(next ?? allOf(start))}
    />
  );
}

/** The parts of a group, each a condition or a group itself. */
function GroupFields({
  columns,
  kinds,
  group,
  depth,
  room,
  onChange,
}: {
  readonly columns: readonly GridColumn[];
  readonly kinds: ReadonlyMap<string, ColumnKind>;
  readonly group: Conditions;
  readonly depth: number;
  /** How many conditions there is room for in the whole filter. */
  readonly room: number;
  /** Undefined: nothing is left of it. */
  readonly onChange: (group: Conditions | undefined) => void;
}) {
  const t = useText();
  const { join, conditions } = group;
  const [first] = columns;
  const start = startFilter(first, kindOf(first, kinds));
  const set = (next: readonly FilterPart[]): void =>
    onChange(next.length === 0 ? undefined : { ...group, conditions: next });
  const replace = (i: number, next: FilterPart | undefined): void =>
    set(conditions.flatMap((other, at) => (at === i ? (next ?? []) : [other])));
  const remove = (i: number) => (
    <IconButton
      small
      icon="close"
      name={t(isGroup(conditions[i] ?? start) ? 'filter.remove-group' : 'filter.remove')}
      onClick={() => replace(i, undefined)}
    />
  );
  return (
    <div className="filter-conditions">
      {conditions.map((one, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a condition is known by its place.
        <div className="row tight filter-row" key={i}>
          {i > 0 && (
            <select
              className="input small"
              aria-label={t('filter.join')}
              value={join}
              onChange={(event) => onChange({ ...group, join: event.target.value === 'or' ? 'or' : 'and' })}
            >
              <option value="and">{t('filter.and')}</option>
              <option value="or">{t('filter.or')}</option>
            </select>
          )}
          {isGroup(one) ? (
            <fieldset className="filter-group">
              <legend className="soft small-text">{t('filter.group')}</legend>
              <GroupFields
                columns={columns}
                kinds={kinds}
                group={one}
                depth={depth + 1}
                room={room}
                onChange={(next) => replace(i, next)}
              />
              {remove(i)}
            </fieldset>
          ) : (
            <>
              <FilterFields
                columns={columns}
                kinds={kinds}
                filter={withKind(one, kinds.get(one.column))}
                onChange={(next) => replace(i, next)}
              />
              {(conditions.length > 1 || depth > 0 || asked(allOf(one)) !== undefined) && remove(i)}
            </>
          )}
        </div>
      ))}
      {asked(group) !== undefined && room > 0 && (
        <div className="row tight">
          <Button small icon="plus" onClick={() => set([...conditions, start])}>
            {t('filter.add')}
          </Button>
          {depth < MAX_GROUP_DEPTH && (
            // The other way round than what it stands in: another would be none.
            <Button
              small
              icon="plus"
              onClick={() => set([...conditions, { ...allOf(start), join: join === 'and' ? 'or' : 'and' }])}
            >
              {t('filter.add-group')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
