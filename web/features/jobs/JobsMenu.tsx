// The work of the person who is signed in, in the head of every page: files that are imported, layers that are made of layers. How far each is, how
// it ended, and the way to its result.

import { useEffect, useRef, useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { followImport } from '../../api/follow-imports.ts';
import type { ImportNews } from '../../api/import-news.ts';
import { useText } from '../../lib/i18n/text.ts';
import { importReason } from '../../lib/import-reason.ts';
import { isOver, type JobEntry } from '../../lib/job-entry.ts';
import { usePlace } from '../../lib/navigation.ts';
import { useSession } from '../../lib/session.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu, MenuLink } from '../../ui/Menu.tsx';
import { Wrong } from '../../ui/States.tsx';
import { ProgressBar } from '../upload/ProgressBar.tsx';
import { useJobs } from './use-jobs.ts';
import './jobs.css';

export function JobsMenu() {
  const t = useText();
  const { user } = useSession();
  const { n } = usePlace();
  const [jobs, again] = useJobs(user?.username, n);
  // Who has nothing under way needs no menu; it does not go while somebody looks into it.
  const [wasShown, setShown] = useState(false);
  const isThere = jobs.length > 0;
  useEffect(() => {
    if (isThere) setShown(true);
  }, [isThere]);
  if (user === null || user === undefined || !(isThere || wasShown)) return null;
  const going = jobs.filter(({ state }) => !isOver(state)).length;
  return (
    <Menu
      label={going === 0 ? t('jobs.title') : t.count('jobs.going', going)}
      icon="progress"
      iconOnly
      look="quiet jobs-button"
      mark={going === 0 ? undefined : String(going)}
    >
      <div className="jobs-menu">
        {jobs.length === 0 ? (
          <p className="soft small-text">{t('jobs.none')}</p>
        ) : (
          <ul className="plain-list" aria-label={t('jobs.title')}>
            {jobs.map((job) => (
              <JobItem key={job.id} job={job} onCancelled={again} />
            ))}
          </ul>
        )}
        <MenuLink icon="list" to="/account?tab=uploads">
          {t('jobs.all')}
        </MenuLink>
      </div>
    </Menu>
  );
}

const LOOKS = { waiting: '', running: '', asks: 'warm', done: 'good', failed: 'bad' } as const;

const ICONS = { asks: 'help', done: 'layer', failed: 'warning' } as const;

function JobItem({ job, onCancelled }: { readonly job: JobEntry; readonly onCancelled: () => void }) {
  const t = useText();
  const news = useNews(job.id);
  const item = useRef<HTMLLIElement>(null);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const { id, title, state, progress, page, isProcess } = job;
  const cancel = async (): Promise<void> => {
    const reply = await during(send('DELETE', `/upload/delete/${id}`));
    if (!reply.ok) return setFailure(reply.error);
    // The button goes with its job.
    item.current?.closest('.menu')?.querySelector<HTMLElement>(':scope > button')?.focus();
    onCancelled();
  };
  const phase = news?.phase ?? null;
  return (
    <li className="stack tight job" ref={item}>
      <div className="row apart">
        {state === 'running' || state === 'waiting' ? (
          <strong className="job-title">{title}</strong>
        ) : (
          <MenuLink icon={ICONS[state]} to={page}>
            {title}
          </MenuLink>
        )}
        <span className={`badge ${LOOKS[state]}`}>{t.entry('job-state', state)}</span>
      </div>
      {(state === 'running' || state === 'waiting') && (
        <ProgressBar
          share={(news?.progress ?? progress) / 100}
          label={
            state === 'waiting' || phase === null
              ? t('add.waiting')
              : isProcess && phase === 'reading'
                ? t('jobs.calculating')
                : t.entry('phase', phase)
          }
        />
      )}
      {state === 'failed' && news?.error_msg !== null && news !== undefined && (
        <p className="small-text">{importReason(t, news.reason, news.error_msg)}</p>
      )}
      <Wrong failure={failure} />
      {!isOver(state) && (
        <div>
          <Button small disabled={isBusy} onClick={() => void cancel()}>
            {t('action.cancel')}
            <span className="visually-hidden"> {title}</span>
          </Button>
        </div>
      )}
    </li>
  );
}

/** The last that the portal told of it; of one that has ended, how. */
function useNews(id: number): ImportNews | undefined {
  const [news, setNews] = useState<ImportNews>();
  useEffect(() => followImport(id, setNews), [id]);
  return news;
}
