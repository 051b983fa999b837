// The console: the tables of the REST service as grids, requests to be tried and copied as code, the keys between tables drawn, SQL for administrators,
// and the portal's own API described.

import { useEffect, useMemo, useState } from 'react';
import type { Failure } from '../../api/failure.ts';
import { bearer } from '../../api/rest.ts';
import { useText } from '../../lib/i18n/text.ts';
import { usePlace } from '../../lib/navigation.ts';
import { useSession } from '../../lib/session.ts';
import { parseRestDescription, type RestDescription } from '../../lib/swagger.ts';
import { useDefaults } from '../../lib/use-defaults.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { useTab } from '../../lib/use-tab.ts';
import { Empty, Failed, Waiting } from '../../ui/States.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { PortalApi } from './PortalApi.tsx';
import { SqlConsole } from './SqlConsole.tsx';
import { TableData } from './TableData.tsx';
import { TableDiagram } from './TableDiagram.tsx';
import { TryRoutine } from './TryRoutine.tsx';
import { TryTable } from './TryTable.tsx';
import './console.css';

type Described =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'loaded'; readonly value: RestDescription };

const TABS = ['rest', 'data', 'diagram', 'sql', 'portal'] as const;

export function ConsolePage() {
  const t = useText();
  const { user } = useSession();
  const [tab, setTab] = useTab(TABS);
  const hasSql = useDefaults()?.sql_console === true && user?.is_superuser === true;
  usePageTitle(t('console.title'));
  return (
    <div className="stack">
      <header className="stack tight">
        <h1>{t('console.title')}</h1>
        <p className="soft">{t('console.lead')}</p>
      </header>
      <Tabs
        label={t('console.title')}
        chosen={tab}
        onChoose={setTab}
        tabs={TABS.filter((name) => name !== 'sql' || hasSql).map((name) => ({
          name,
          label: t(`console.tab.${name}`),
        }))}
      >
        {(tab === 'rest' || tab === 'data' || tab === 'diagram') && <RestConsole what={tab} />}
        {tab === 'sql' && hasSql && <SqlConsole />}
        {tab === 'portal' && <PortalApi />}
      </Tabs>
    </div>
  );
}

/** What the service describes is what the reader may use, so it is asked with the reader's token. */
function useDescription(): readonly [Described, () => void] {
  const { user } = useSession();
  const [described, setDescribed] = useState<Described>({ kind: 'loading' });
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn asks again.
  useEffect(() => {
    if (user === undefined) return;
    let isGone = false;
    setDescribed((before) => (before.kind === 'failed' ? { kind: 'loading' } : before));
    void (async () => {
      const token = await bearer(user !== null);
      try {
        const reply = await fetch('/rest/v1/', {
          headers: {
            Accept: 'application/openapi+json',
            ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          },
        });
        const document: unknown = await reply.json();
        if (isGone) return;
        setDescribed(
          reply.ok
            ? { kind: 'loaded', value: parseRestDescription(document) }
            : { kind: 'failed', failure: { kind: 'server', status: reply.status, said: [] } },
        );
      } catch {
        if (!isGone) setDescribed({ kind: 'failed', failure: { kind: 'offline' } });
      }
    })();
    return () => {
      isGone = true;
    };
  }, [user, turn]);
  return [described, () => setTurn(turn + 1)];
}

function RestConsole({ what }: { readonly what: 'rest' | 'data' | 'diagram' }) {
  const t = useText();
  const [described, again] = useDescription();
  const { search } = usePlace();
  const asked = useMemo(() => new URLSearchParams(search).get('table') ?? undefined, [search]);
  const [chosen, setChosen] = useState<string>();
  if (described.kind === 'loading') return <Waiting />;
  if (described.kind === 'failed') return <Failed failure={described.failure} onRetry={again} />;
  const { tables } = described.value;
  const routines = what === 'rest' ? described.value.routines : [];
  if (tables.length === 0 && routines.length === 0) {
    return (
      <Empty title={t('console.empty')} icon="code">
        <p>{t('console.empty-text')}</p>
      </Empty>
    );
  }
  if (what === 'diagram') return <TableDiagram tables={tables} />;
  const now =
    chosen ??
    (asked === undefined ? undefined : `t ${asked}`) ??
    (tables[0] === undefined ? `f ${routines[0]?.name}` : `t ${tables[0].name}`);
  const table = tables.find(({ name }) => now === `t ${name}`);
  const routine = routines.find(({ name }) => now === `f ${name}`);
  return (
    <div className="console">
      <nav className="console-list" aria-label={t('console.tables')}>
        <h2>{t('console.tables')}</h2>
        <ul>
          {tables.map(({ name }) => (
            <li key={name}>
              <button type="button" aria-current={table?.name === name} onClick={() => setChosen(`t ${name}`)}>
                {name}
              </button>
            </li>
          ))}
        </ul>
        {routines.length > 0 && (
          <>
            <h2>{t('console.routines')}</h2>
            <ul>
              {routines.map(({ name }) => (
                <li key={name}>
                  <button type="button" aria-current={routine?.name === name} onClick={() => setChosen(`f ${name}`)}>
                    {name}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </nav>
      {table !== undefined && what === 'rest' && <TryTable key={table.name} table={table} />}
      {table !== undefined && what === 'data' && <TableData key={table.name} table={table} />}
      {routine !== undefined && <TryRoutine key={routine.name} routine={routine} />}
      {table === undefined && routine === undefined && <Empty title={t('failure.not-found.title')} icon="search" />}
    </div>
  );
}
