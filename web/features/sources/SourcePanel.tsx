// Which address a layer follows: how the last time went and when the next one is, paused, asked now, changed, and ended.

import { useState } from 'react';
import type { Answer } from '../../api/answer.ts';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Layer } from '../../api/types.ts';
import { forgetLoaded, useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { ImportCard } from '../upload/ImportCard.tsx';
import '../upload/upload.css';
import { NO_SOURCE, SourceFields, type SourceWish, sourceBody } from './SourceFields.tsx';

type Source = NonNullable<Answer<'GET', `/api/v2/layers/${string}/source/`>['source']>;

export function SourcePanel({ layer, onChanged }: { readonly layer: Layer; readonly onChanged: () => void }) {
  const t = useText();
  const path = `/api/v2/layers/${layer.pk}/source/` as const;
  const [loaded, again] = useFresh(path);
  const [asked, setAsked] = useState<Source | 'new'>();
  const [upload, setUpload] = useState<number>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const after = (failed: Failure | undefined, said: string): void => {
    setFailure(failed);
    again();
    if (failed === undefined) say(said);
  };
  const refresh = async (): Promise<void> => {
    const reply = await during(send('POST', `/api/v2/layers/${layer.pk}/source/refresh/`));
    if (reply.ok && reply.value.upload !== null) setUpload(reply.value.upload);
    after(
      reply.ok ? undefined : reply.error,
      t(reply.ok && reply.value.upload === null ? 'source.same' : 'source.asked'),
    );
  };
  const pause = async (source: Source): Promise<void> => {
    const body = { ...sourceBody(wishOf(source)), paused: !source.paused };
    const reply = await during(send('PUT', path, { body }));
    after(reply.ok ? undefined : reply.error, t(source.paused ? 'source.resumed' : 'source.is-paused'));
  };
  const end = async (): Promise<void> => {
    const reply = await during(send('DELETE', path));
    after(reply.ok ? undefined : reply.error, t('source.ended'));
  };
  return (
    <section className="stack" aria-label={t('source.title')}>
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ source }) => (
          <>
            <div className="row apart">
              <h2>{t('source.title')}</h2>
              <Button icon={source === null ? 'link' : 'edit'} onClick={() => setAsked(source ?? 'new')}>
                {t(source === null ? 'source.add' : 'source.change')}
              </Button>
            </div>
            <Wrong failure={failure} />
            {source === null ? (
              <p className="soft">{t('source.none')}</p>
            ) : (
              <>
                <p>
                  <code>{source.address}</code>{' '}
                  {source.paused && <span className="badge">{t('source.is-paused')}</span>}
                </p>
                <p className="soft small-text">
                  {source.changed_at !== null && t('source.changed-at', { when: t.time(source.changed_at) })}{' '}
                  {source.next_at !== null && t('source.next-at', { when: t.time(source.next_at) })}
                </p>
                {source.error !== null && (
                  <p className="notice bad">
                    {t.count('source.failed', source.failures)} {source.error}
                  </p>
                )}
                <div className="row">
                  <Button small icon="history" disabled={isBusy} onClick={() => void refresh()}>
                    {t('source.refresh')}
                  </Button>
                  <Button small disabled={isBusy} onClick={() => void pause(source)}>
                    {t(source.paused ? 'source.resume' : 'source.pause')}
                  </Button>
                  <Button small icon="close" disabled={isBusy} onClick={() => void end()}>
                    {t('source.end')}
                  </Button>
                </div>
              </>
            )}
          </>
        )}
      </WhenLoaded>
      {upload !== undefined && (
        <ImportCard
          key={upload}
          id={upload}
          isNew
          onForget={() => setUpload(undefined)}
          onDone={() => {
            forgetLoaded();
            again();
            onChanged();
          }}
        />
      )}
      {asked !== undefined && (
        <EditSource
          layer={layer}
          source={asked === 'new' ? undefined : asked}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            setAsked(undefined);
            after(undefined, t('source.saved'));
          }}
        />
      )}
    </section>
  );
}

function wishOf({ kind, address, type_name: typeName, key, every_minutes: minutes }: Source): SourceWish {
  return { kind, address, typeName: typeName ?? '', key: key ?? '', minutes };
}

function EditSource({
  layer,
  source,
  onClose,
  onDone,
}: {
  readonly layer: Layer;
  /** Undefined: it follows none yet. */
  readonly source: Source | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const t = useText();
  const [wish, setWish] = useState(source === undefined ? NO_SOURCE : wishOf(source));
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  return (
    <FormDialog
      title={t(source === undefined ? 'source.add' : 'source.change')}
      isBusy={isBusy}
      onClose={onClose}
      onSave={async () => {
        const body = { ...sourceBody(wish), paused: source?.paused ?? false };
        const reply = await during(send('PUT', `/api/v2/layers/${layer.pk}/source/`, { body }));
        if (reply.ok) onDone();
        else setFailure(reply.error);
      }}
    >
      <Wrong failure={failure} />
      <p className="notice warm">{t('source.replaces')}</p>
      <SourceFields
        source={wish}
        columns={layer.attribute_set.filter(({ attribute_type: type }) => !type.startsWith('gml:'))}
        onChange={setWish}
      />
    </FormDialog>
  );
}
