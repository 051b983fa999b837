// The bin: what was deleted, by whom, until when it can be restored; restoring it, and deleting it for ever.

import { useEffect, useRef, useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { forgetLoaded, useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { pathOfResource } from '../../lib/route.ts';
import { useDefaults } from '../../lib/use-defaults.ts';
import { useBusy, usePending } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Link } from '../../ui/Link.tsx';
import { Empty, WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { TypeMark } from '../catalogue/ResourceCard.tsx';

export function Bin() {
  const t = useText();
  const days = useDefaults()?.bin_days;
  const [page, setPage] = useState(1);
  const [loaded, again] = useLoaded(`/api/v2/bin/?page=${page}`);
  const [asked, setAsked] = useState<{ readonly id: number; readonly title: string }>();
  const [failed, setFailed] = useState<{ readonly id: number; readonly failure: Failure }>();
  const [restored, setRestored] = useState<{ readonly title: string; readonly path: string }>();
  const pending = usePending<number>();
  const notice = useRef<HTMLParagraphElement>(null);
  // The button that was pressed is gone with what was restored.
  useEffect(() => {
    if (restored !== undefined && loaded.kind === 'loaded' && document.activeElement === document.body)
      notice.current?.focus();
  }, [restored, loaded]);
  const restore = async (one: { readonly id: number; readonly title: string; readonly resource_type: string }) => {
    const reply = await pending.during(one.id, send('POST', `/api/v2/bin/${one.id}/restore/`));
    setFailed(reply.ok ? undefined : { id: one.id, failure: reply.error });
    if (!reply.ok) return;
    forgetLoaded();
    setRestored({
      title: one.title,
      path: pathOfResource({ pk: String(one.id), resource_type: one.resource_type }),
    });
    again();
  };
  return (
    <div className="stack">
      <p className="soft">{days === undefined ? '' : days === 0 ? t('bin.off') : t.count('bin.about', days)}</p>
      {restored !== undefined && (
        <p className="notice" role="status" ref={notice} tabIndex={-1}>
          {t('bin.restored', { title: restored.title })} <Link to={restored.path}>{t('action.open')}</Link>
        </p>
      )}
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ items, total, page_size: size }) =>
          total === 0 && page === 1 ? (
            <Empty title={t('bin.empty')} icon="trash" />
          ) : (
            <>
              <ul className="bin-list">
                {items.map((one) => (
                  <li key={one.id} className="panel row apart">
                    <div className="stack tight grow">
                      <div className="row tight">
                        <TypeMark type={one.resource_type} subtype={one.is_table ? 'tabular' : null} />
                        <h2>{one.title}</h2>
                      </div>
                      <p className="soft small-text">
                        {t('bin.line', {
                          owner: one.owner ?? '–',
                          name: one.deleted_by ?? '–',
                          date: t.time(one.deleted),
                          until: t.date(one.until),
                        })}
                      </p>
                      {failed?.id === one.id && <Wrong failure={failed.failure} />}
                    </div>
                    <div className="row tight">
                      <Button
                        icon="undo"
                        aria-label={t('bin.restore-named', { title: one.title })}
                        disabled={pending.has(one.id)}
                        onClick={() => void restore(one)}
                      >
                        {t('bin.restore')}
                      </Button>
                      {one.may_purge && (
                        <Button
                          icon="trash"
                          look="danger"
                          className="icon"
                          aria-label={t('bin.purge-named', { title: one.title })}
                          title={t('bin.purge')}
                          onClick={() => setAsked(one)}
                        />
                      )}
                    </div>
                  </li>
                ))}
              </ul>
              {(total > size || page > 1) && (
                <div className="row">
                  <Button small disabled={page === 1} onClick={() => setPage(page - 1)}>
                    {t('pager.previous')}
                  </Button>
                  <Button small disabled={page * size >= total} onClick={() => setPage(page + 1)}>
                    {t('pager.next')}
                  </Button>
                </div>
              )}
            </>
          )
        }
      </WhenLoaded>
      {asked !== undefined && (
        <PurgeDialog
          item={asked}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            setAsked(undefined);
            again();
          }}
        />
      )}
    </div>
  );
}

function PurgeDialog({
  item,
  onClose,
  onDone,
}: {
  readonly item: { readonly id: number; readonly title: string };
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const t = useText();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const purge = async (): Promise<void> => {
    const reply = await during(send('DELETE', `/api/v2/bin/${item.id}/`));
    // Who is gone already is gone.
    if (!reply.ok && reply.error.kind !== 'not-found') return setFailure(reply.error);
    say(t('deleted'));
    onDone();
  };
  return (
    <Dialog
      title={t('bin.purge-title')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="danger" icon="trash" disabled={isBusy} onClick={() => void purge()}>
            {t('bin.purge')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>{t('bin.purge-text', { title: item.title })}</p>
        <Wrong failure={failure} />
      </div>
    </Dialog>
  );
}
