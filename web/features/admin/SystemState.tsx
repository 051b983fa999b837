// How the portal is: whether its parts answer, how much it holds; and the demo content, to be removed.

import { useEffect, useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { forgetLoaded, useLoaded, useLoadedFor } from '../../api/use-loaded.ts';
import { isNumber, isRecordOf } from '../../lib/guard.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Button } from '../../ui/Button.tsx';
import { Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { AccountSwitches } from './AccountSwitches.tsx';
import { Operation } from './Operation.tsx';
import { ServiceMode } from './ServiceMode.tsx';

const PARTS = [
  { name: 'portal', path: '/health' },
  { name: 'api', path: '/api/v2/' },
  { name: 'rest', path: '/rest/v1/' },
  { name: 'tiles', path: '/ogc/' },
] as const;
const COLLECTIONS = ['layers', 'maps', 'documents', 'geostories', 'geoapps', 'users', 'groups', 'uploads'] as const;

type Answer = { readonly status: number; readonly ms: number; readonly server: string | null };

export function SystemState() {
  const t = useText();
  const [turn, setTurn] = useState(0);
  return (
    <div className="stack loose">
      <section className="stack">
        <div className="row apart">
          <h2>{t('admin.parts')}</h2>
          <Button small onClick={() => setTurn(turn + 1)}>
            {t('admin.refresh')}
          </Button>
        </div>
        <div className="state-grid">
          {PARTS.map(({ name, path }) => (
            <PartState key={name} label={t(`part.${name}`)} path={path} turn={turn} />
          ))}
        </div>
      </section>
      <section className="stack">
        <h2>{t('admin.contents')}</h2>
        <div className="state-grid">
          {COLLECTIONS.map((name) => (
            <Count key={name} name={name} />
          ))}
        </div>
      </section>
      <Operation />
      <ServiceMode />
      <AccountSwitches />
      <Demo />
    </div>
  );
}

function PartState({ label, path, turn }: { readonly label: string; readonly path: string; readonly turn: number }) {
  const t = useText();
  const [answer, setAnswer] = useState<Answer>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn asks again.
  useEffect(() => {
    const gone = new AbortController();
    const began = performance.now();
    fetch(path, { signal: gone.signal, headers: { Accept: 'application/json' } }).then(
      (reply) =>
        setAnswer({ status: reply.status, ms: performance.now() - began, server: reply.headers.get('Server') }),
      () => gone.signal.aborted || setAnswer({ status: 0, ms: 0, server: null }),
    );
    return () => gone.abort();
  }, [path, turn]);
  const isGood = answer !== undefined && answer.status >= 200 && answer.status < 300;
  return (
    <div className="panel stack tight">
      <h3>{label}</h3>
      {answer === undefined ? (
        <span className="badge">{t('state.loading')}</span>
      ) : (
        <span className={isGood ? 'badge good' : 'badge bad'}>
          {isGood ? t('admin.answers', { ms: Math.round(answer.ms) }) : t('admin.silent', { status: answer.status })}
        </span>
      )}
      {answer?.server && <span className="soft small-text">{answer.server}</span>}
    </div>
  );
}

function Count({ name }: { readonly name: (typeof COLLECTIONS)[number] }) {
  const t = useText();
  const [loaded] = useLoaded(`/api/v2/${name}/?page_size=1`);
  return (
    <div className="panel stack tight">
      <h3>{t(`collection.${name}`)}</h3>
      <span className="big-number number">{loaded.kind === 'loaded' ? t.number(loaded.value.total) : '–'}</span>
    </div>
  );
}

const isDemo = isRecordOf<{ readonly items: number }>({ items: isNumber });

function Demo() {
  const t = useText();
  const [loaded, again] = useLoadedFor(isDemo, '/api/v2/demo/');
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  if (loaded.kind !== 'loaded' || loaded.value.items === 0) return null;
  const remove = async (): Promise<void> => {
    setBusy(true);
    const reply = await send('DELETE', '/api/v2/demo/');
    setBusy(false);
    setFailure(reply.ok ? undefined : reply.error);
    if (!reply.ok) return;
    forgetLoaded();
    say(t('admin.demo-removed'));
    again();
  };
  return (
    <section className="panel stack">
      <h2>{t('admin.demo')}</h2>
      <p>{t.count('admin.demo-text', loaded.value.items)}</p>
      <Wrong failure={failure} />
      <div>
        <Button look="danger" icon="trash" disabled={isBusy} onClick={() => void remove()}>
          {t('admin.demo-remove')}
        </Button>
      </div>
    </section>
  );
}
