// How the program runs: its copies, queues, failed jobs and imports, and who uses how much space.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { fileSize } from '../../lib/file-size.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Button } from '../../ui/Button.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { DataTable } from './DataTable.tsx';

export function Operation() {
  const t = useText();
  const [loaded, again] = useLoaded('/api/v2/status/');
  return (
    <section className="stack">
      <div className="row apart">
        <h2>{t('operation.title')}</h2>
        <Button small onClick={again}>
          {t('admin.refresh')}
        </Button>
      </div>
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ copies, queues, failed_jobs: jobs, failed_uploads: uploads, database, storage }) => (
          <>
            <DataTable
              label={t('operation.copies')}
              head={[
                t('operation.copy'),
                t('operation.version'),
                t('operation.services'),
                t('uploads.state'),
                t('operation.heard'),
              ]}
              rows={copies.map((copy) => ({
                key: `${copy.host} ${copy.pid}`,
                cells: [
                  `${copy.host} (${copy.pid})`,
                  copy.version,
                  copy.services,
                  <span key="state" className={copy.state === 'alive' ? 'badge good' : 'badge bad'}>
                    {t(`operation.copy.${copy.state}`)}
                  </span>,
                  t('operation.seconds', { n: t.number(copy.silent_seconds) }),
                ],
              }))}
            />
            {queues.length > 0 && (
              <DataTable
                label={t('operation.queues')}
                head={[
                  t('operation.queue'),
                  t('operation.waiting'),
                  t('operation.active'),
                  t('operation.failed'),
                  t('operation.oldest'),
                ]}
                rows={queues.map((queue) => ({
                  key: queue.queue,
                  cells: [
                    queue.queue,
                    t.number(queue.waiting),
                    t.number(queue.active),
                    t.number(queue.failed),
                    queue.waiting === 0 ? '–' : t('operation.seconds', { n: t.number(queue.waiting_seconds) }),
                  ],
                }))}
              />
            )}
            {jobs.length + uploads.length > 0 && (
              <DataTable
                label={t('operation.failures')}
                head={[t('operation.failures'), t('uploads.date'), t('operation.why')]}
                rows={[
                  ...jobs.map((job) => ({
                    key: job.id,
                    cells: [job.queue, job.at === null ? '–' : t.time(job.at), job.message ?? '–'],
                  })),
                  ...uploads.map((one) => ({
                    key: `upload ${one.id}`,
                    cells: [`${one.name} (${one.owner ?? '–'})`, t.time(one.at), one.message ?? '–'],
                  })),
                ]}
              />
            )}
            <p className="soft">
              {t('operation.sizes', {
                database: fileSize(t, database.bytes),
                layers: fileSize(t, storage.layers),
                files: fileSize(t, storage.files),
              })}
            </p>
          </>
        )}
      </WhenLoaded>
      <Storage />
    </section>
  );
}

const MEGABYTE = 1024 * 1024;

function Storage() {
  const t = useText();
  const [loaded, again] = useLoaded('/api/v2/storage/');
  const [failure, setFailure] = useState<Failure>();
  const set = async (pk: number, bytes: number | null): Promise<void> => {
    const reply = await send('PUT', `/api/v2/users/${pk}/quota/`, { body: { bytes } });
    setFailure(reply.ok ? undefined : reply.error);
    if (reply.ok) again();
  };
  return (
    <>
      <h3>{t('operation.storage')}</h3>
      <Wrong failure={failure} />
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ storage }) => (
          <DataTable
            label={t('operation.storage')}
            head={[
              t('account.username'),
              t('collection.layers'),
              t('operation.files'),
              t('operation.used'),
              t('operation.allowed'),
              t('operation.quota'),
            ]}
            rows={storage.map((one) => ({
              key: one.username,
              cells: [
                one.username,
                fileSize(t, one.layers),
                fileSize(t, one.files),
                fileSize(t, one.used),
                one.allowed === null ? t('operation.unlimited') : fileSize(t, one.allowed),
                <input
                  key={`${one.pk} ${one.quota}`}
                  className="input quota"
                  type="number"
                  min={0}
                  step="any"
                  aria-label={t('operation.quota-of', { name: one.username })}
                  defaultValue={one.quota === null ? '' : one.quota / MEGABYTE}
                  onBlur={({ target: { value } }) => {
                    const bytes = value === '' ? null : Math.round(Number(value) * MEGABYTE);
                    if (bytes !== one.quota) void set(one.pk, bytes);
                  }}
                />,
              ],
            }))}
          />
        )}
      </WhenLoaded>
      <p className="soft small-text">{t('operation.quota-hint')}</p>
    </>
  );
}
