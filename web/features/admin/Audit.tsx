// The audit log: who signed in, changed permissions, deleted or switched something; with filters, page by page, and as a file.

import { useDeferredValue, useState } from 'react';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Button } from '../../ui/Button.tsx';
import { InputField, SelectField } from '../../ui/Field.tsx';
import { Empty, WhenLoaded } from '../../ui/States.tsx';
import { DataTable } from './DataTable.tsx';

const SIZE = 50;

const ACTS = [
  'sign-in',
  'sign-in-failed',
  'granted',
  'revoked',
  'link-made',
  'link-renewed',
  'link-changed',
  'link-ended',
  'created',
  'changed',
  'deleted',
  'restored',
  'purged',
  'handed-over',
  'password-changed',
  'identity-linked',
  'identity-unlinked',
  'comment-deleted',
  'comment-hidden',
  'comment-shown',
  'factor-added',
  'factor-removed',
  'factor-reset',
  'recovery-code-used',
  'token-made',
  'token-revoked',
  'member-added',
  'member-changed',
  'member-removed',
  'setting-changed',
  'mode-changed',
  'quota-changed',
  'audit-trimmed',
  'sql',
] as const;

type Filters = {
  readonly act: string;
  readonly actor: string;
  readonly name: string;
  readonly since: string;
  readonly until: string;
};

const NONE: Filters = { act: '', actor: '', name: '', since: '', until: '' };

export function Audit() {
  const t = useText();
  const [filters, setFilters] = useState(NONE);
  /** Where each page that was left begins. */
  const [before, setBefore] = useState<readonly number[]>([]);
  const asked = useDeferredValue(filters);
  const query = queryOf(asked);
  const start = before.at(-1);
  const [loaded, again] = useLoaded(
    `/api/v2/audit/?limit=${SIZE}${query}${start === undefined ? '' : `&before=${start}`}`,
  );
  const change = (part: Partial<Filters>): void => {
    setFilters({ ...filters, ...part });
    setBefore([]);
  };
  return (
    <div className="stack">
      <div className="row audit-filters">
        <SelectField
          label={t('audit.act')}
          value={filters.act}
          onChange={(event) => change({ act: event.target.value })}
        >
          <option value="">{t('audit.all')}</option>
          {ACTS.map((act) => (
            <option key={act} value={act}>
              {t(`audit.act.${act}`)}
            </option>
          ))}
        </SelectField>
        <InputField
          label={t('audit.actor')}
          value={filters.actor}
          onChange={(event) => change({ actor: event.target.value })}
        />
        <InputField
          label={t('audit.about')}
          value={filters.name}
          onChange={(event) => change({ name: event.target.value })}
        />
        <InputField
          label={t('audit.since')}
          type="date"
          value={filters.since}
          onChange={(event) => change({ since: event.target.value })}
        />
        <InputField
          label={t('audit.until')}
          type="date"
          value={filters.until}
          onChange={(event) => change({ until: event.target.value })}
        />
      </div>
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ entries, next }) => (
          <>
            {entries.length === 0 ? (
              <Empty title={t('audit.nothing')} />
            ) : (
              <DataTable
                label={t('admin.audit')}
                head={[t('audit.when'), t('audit.actor'), t('audit.act'), t('audit.about'), t('audit.detail')]}
                rows={entries.map((entry) => ({
                  key: String(entry.id),
                  cells: [
                    t.time(entry.at),
                    entry.actor_name ?? '–',
                    t.entry('audit.act', entry.act),
                    entry.name ?? '–',
                    <code key="detail" className="small-text">
                      {entry.detail === null ? '' : JSON.stringify(entry.detail).slice(0, 300)}
                    </code>,
                  ],
                }))}
              />
            )}
            <div className="row">
              <Button small disabled={before.length === 0} onClick={() => setBefore(before.slice(0, -1))}>
                {t('audit.newer')}
              </Button>
              <Button small disabled={next === null} onClick={() => setBefore([...before, entries.at(-1)?.id ?? 0])}>
                {t('audit.older')}
              </Button>
              <a className="button small" href={`/api/v2/audit/?limit=10000&export=csv${query}`} download="audit.csv">
                {t('audit.export')}
              </a>
            </div>
          </>
        )}
      </WhenLoaded>
    </div>
  );
}

/** Days are those of the reader: from the beginning of the first to the end of the last. */
function queryOf({ act, actor, name, since, until }: Filters): string {
  const part = (key: string, value: string): string => (value === '' ? '' : `&${key}=${encodeURIComponent(value)}`);
  const day = (text: string, later: number): string => {
    const date = new Date(`${text}T00:00:00`);
    if (text === '' || Number.isNaN(date.getTime())) return '';
    date.setDate(date.getDate() + later);
    return date.toISOString();
  };
  return [
    part('act', act),
    part('actor', actor.trim()),
    part('name', name.trim()),
    part('since', day(since, 0)),
    part('until', day(until, 1)),
  ].join('');
}
