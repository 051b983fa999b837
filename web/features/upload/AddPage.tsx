// Adding data: files dropped here are recognised, sent, imported and published, each with its progress. Imports go on when the page
// is left; coming back shows how far they are.

import { useCallback, useEffect, useRef, useState } from 'react';
import { addDocument } from '../../api/add-document.ts';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Permissions } from '../../api/types.ts';
import { forgetLoaded, useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { navigate } from '../../lib/navigation.ts';
import { type Bundle, groupFiles, sniffBundle } from '../../lib/sniff-upload.ts';
import { leave, useUnsaved } from '../../lib/unsaved.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Waiting } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { FollowDialog } from '../sources/FollowDialog.tsx';
import { BegunFiles } from './BegunFiles.tsx';
import { BundleCard, mayBeSent } from './BundleCard.tsx';
import { DropZone } from './DropZone.tsx';
import { ImportCard } from './ImportCard.tsx';
import './upload.css';

type Item = { readonly key: string; readonly bundle: Bundle };
let last = 0;

const KEPT = 'survest.uploads';
const MAX_KEPT = 50;

export function AddPage({ upload }: { readonly upload: number | undefined }) {
  const t = useText();
  usePageTitle(t('nav.add'));
  const [bundles, setBundles] = useState<readonly Item[]>([]);
  const [started, setStarted, ended] = useStarted(upload);
  const [isFollowing, setFollowing] = useState(false);
  const [open, again] = useLoaded('/api/v2/uploads/?filter{-state}=PROCESSED&page_size=50&sort[]=-date');
  const take = useCallback(async (files: readonly File[]) => {
    const found = await Promise.all(groupFiles(files).map(sniffBundle));
    setBundles((now) => [
      ...now,
      ...found.map((bundle) => {
        last += 1;
        return { key: `b${last}`, bundle };
      }),
    ]);
  }, []);
  const ready = useRef<HTMLElement>(null);
  /** Each card as if its own button had been pressed: with its title, its sharing and its questions. */
  const sendAll = (): void => {
    for (const form of ready.current?.querySelectorAll('form') ?? [])
      form.querySelector<HTMLButtonElement>('button[type=submit]')?.click();
  };
  const unsaved = useUnsaved(bundles.some(({ bundle }) => mayBeSent(bundle)));
  const drop = (key: string): void => setBundles((now) => now.filter((item) => item.key !== key));
  // Dropping a file beside the zone must not open it in the window.
  useEffect(() => {
    const ignore = (event: DragEvent): void => event.preventDefault();
    window.addEventListener('dragover', ignore);
    window.addEventListener('drop', ignore);
    return () => {
      window.removeEventListener('dragover', ignore);
      window.removeEventListener('drop', ignore);
    };
  }, []);
  const known = open.kind === 'loaded' ? open.value.uploads.map(({ id }) => id) : [];
  const running = [...new Set([...started, ...known])];
  const forget = async (id: number): Promise<void> => {
    await send('DELETE', `/upload/delete/${id}`);
    setStarted((now) => now.filter((one) => one !== id));
    forgetLoaded();
    again();
  };
  const asDocument = async (item: Item, title: string, permissions: Permissions): Promise<Failure | undefined> => {
    const added = await addDocument(item.bundle.main, title, permissions);
    if (!added.ok) return added.error;
    const page = `/documents/${added.value}`;
    // The others wait here to be sent.
    if (bundles.length > 1) {
      drop(item.key);
      say(t('add.document-added', { title }), {
        label: t('action.open'),
        act: () => leave(() => navigate(page)),
      });
      return undefined;
    }
    unsaved.release();
    navigate(page);
    return undefined;
  };
  return (
    <div className="stack loose add-page">
      <header className="stack tight">
        <h1>{t('add.title')}</h1>
        <p className="soft">{t('add.lead')}</p>
      </header>
      <DropZone onFiles={(files) => void take(files)} />
      <ul className="plain-list">
        <li>
          <Link to="/layers/new">{t('new-layer.link')}</Link>
        </li>
        <li>
          <Link to="/add/services">{t('services.link')}</Link>
        </li>
        <li>
          <Button icon="link" onClick={() => setFollowing(true)}>
            {t('source.new')}
          </Button>
        </li>
      </ul>
      {bundles.length > 0 && (
        <section className="stack" aria-label={t('add.ready')} ref={ready}>
          <div className="row apart">
            <h2>{t('add.ready')}</h2>
            {bundles.filter(({ bundle }) => mayBeSent(bundle)).length > 1 && (
              <Button icon="upload" onClick={sendAll}>
                {t('add.send-all')}
              </Button>
            )}
          </div>
          {bundles.map((item) => (
            <BundleCard
              key={item.key}
              bundle={item.bundle}
              onRemove={() => drop(item.key)}
              onDocument={(title, permissions) => asDocument(item, title, permissions)}
              onSent={(id) => {
                drop(item.key);
                setStarted((now) => [id, ...now]);
              }}
            />
          ))}
        </section>
      )}
      {isFollowing && (
        <FollowDialog
          onClose={() => setFollowing(false)}
          onBegun={(id) => {
            setFollowing(false);
            setStarted((now) => [id, ...now]);
          }}
        />
      )}
      <BegunFiles chosen={bundles.flatMap(({ bundle }) => bundle.files.map(({ name }) => name))} />
      {open.kind === 'loading' && <Waiting />}
      {running.length > 0 && (
        <section className="stack" aria-label={t('add.running')}>
          <h2>{t('add.running')}</h2>
          {running.map((id) => (
            <ImportCard
              key={id}
              id={id}
              isNew={started.includes(id)}
              onForget={() => void forget(id)}
              onDone={() => ended(id)}
            />
          ))}
        </section>
      )}
      <p className="soft small-text format-note">
        <Icon name="info" />
        {t('add.formats')}
      </p>
    </div>
  );
}

/** Imports that were begun in this tab: after a reload, those that had not ended before it are shown again, however they ended meanwhile. */
function useStarted(upload: number | undefined) {
  const [started, setStarted] = useState<readonly number[]>(() => [
    ...new Set([...(upload === undefined ? [] : [upload]), ...readStarted()]),
  ]);
  const ended = useRef(new Set<number>());
  const keep = (ids: readonly number[]): void => {
    try {
      const open = ids.filter((id) => !ended.current.has(id)).slice(0, MAX_KEPT);
      window.sessionStorage.setItem(KEPT, open.join());
    } catch {
      // They are then kept as long as the page.
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it writes what it is given.
  useEffect(() => keep(started), [started]);
  const end = (id: number): void => {
    ended.current.add(id);
    keep(started);
  };
  return [started, setStarted, end] as const;
}

function readStarted(): readonly number[] {
  try {
    return (window.sessionStorage.getItem(KEPT) ?? '')
      .split(',')
      .flatMap((id) => (/^\d+$/.test(id) ? [Number(id)] : []));
  } catch {
    return [];
  }
}
