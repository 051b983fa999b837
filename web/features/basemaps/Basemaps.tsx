// What maps can be drawn on: presets that are switched on with one click, each with its licence and what visitors' browsers will ask, and others by
// their address, or as a file. A page may load from the sites it was sent with alone, so it is loaded again after a new one was switched on.

import { useState } from 'react';
import type { Answers } from '../../api/answer.ts';
import { STRICT, send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { forgetLoaded, useFresh, useLoaded } from '../../api/use-loaded.ts';
import { hostOf, newBasemapId } from '../../lib/basemap-form.ts';
import { fileSize } from '../../lib/file-size.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { OutsideLink } from '../../ui/OutsideLink.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { AddBasemap } from './AddBasemap.tsx';
import './basemaps.css';

type Preset = Answers['GET /api/v2/basemaps/presets/']['presets'][number];
type Listed = Pick<Answers['GET /api/v2/basemaps/']['basemaps'][number], 'id' | 'title' | 'is_setting'>;

export function Basemaps() {
  const t = useText();
  const [listed, again] = useFresh('/api/v2/basemaps/');
  const [offered] = useLoaded('/api/v2/basemaps/presets/');
  const [uploaded, uploadedAgain] = useFresh('/api/v2/basemaps/archives/');
  const archives = uploaded.kind === 'loaded' ? uploaded.value.archives : [];
  const [removing, setRemoving] = useState<Pick<Listed, 'id' | 'title'>>();
  const [isAdding, setAdding] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();

  const switchOn = async (body: object): Promise<boolean> => {
    const reply = await during(send('POST', '/api/v2/basemaps/', { body, headers: STRICT }));
    if (reply.ok) window.location.reload();
    setFailure(reply.ok ? undefined : reply.error);
    return reply.ok;
  };
  const change = async (done: ReturnType<typeof send>, said: string): Promise<void> => {
    const reply = await during(done);
    setFailure(reply.ok ? undefined : reply.error);
    if (!reply.ok) return;
    forgetLoaded();
    again();
    uploadedAgain();
    say(said);
  };
  const upload = async (form: FormData, taken: readonly string[]): Promise<void> => {
    const title = String(form.get('title') ?? '').trim();
    const sent = new FormData();
    // The file comes last: what is wrong with a field is known before it arrives.
    for (const name of ['attribution', 'attribution_url']) sent.append(name, String(form.get(name) ?? '').trim());
    sent.append('title', title);
    sent.append('id', newBasemapId(title, taken));
    sent.append('file', form.get('file') ?? '');
    const done = send('POST', '/api/v2/basemaps/archives/', { body: sent, headers: STRICT });
    await change(done, t('basemaps.uploaded', { title }));
    if ((await done).ok) setAdding(false);
  };
  const isArchive = ({ id }: Pick<Listed, 'id'>): boolean => archives.some((one) => one.id === id);
  const removeButton = (one: Pick<Listed, 'id' | 'title'>) => (
    <Button
      small
      look="danger"
      aria-label={t('basemaps.remove-named', { title: one.title })}
      disabled={isBusy}
      onClick={() => setRemoving(one)}
    >
      {t('action.remove')}
    </Button>
  );
  const actions = (one: Listed, usual: string | null) => (
    <div className="row tight">
      {one.is_setting ? (
        <span className="soft small-text">{t('basemaps.by-settings')}</span>
      ) : (
        <>
          <Button
            small
            aria-pressed={one.id === usual}
            aria-label={t('basemaps.usual-named', { title: one.title })}
            disabled={isBusy}
            onClick={() =>
              void change(
                send('PATCH', `/api/v2/basemaps/${one.id}/`, { body: { default: one.id !== usual }, headers: STRICT }),
                t('basemaps.changed'),
              )
            }
          >
            {t('basemaps.usual')}
          </Button>
          <Button
            small
            {...(isArchive(one) ? {} : { look: 'danger' as const })}
            aria-label={t('basemaps.off-named', { title: one.title })}
            disabled={isBusy}
            onClick={() =>
              void change(
                isArchive(one)
                  ? send('PATCH', `/api/v2/basemaps/${one.id}/`, { body: { on: false }, headers: STRICT })
                  : send('DELETE', `/api/v2/basemaps/${one.id}/`, { headers: STRICT }),
                t('basemaps.was-off', { title: one.title }),
              )
            }
          >
            {t('basemaps.off')}
          </Button>
          {isArchive(one) && removeButton(one)}
        </>
      )}
    </div>
  );

  const inUse = listed.kind === 'loaded' ? [...listed.value.basemaps, ...listed.value.unreadable] : [];
  const taken = [...inUse, ...archives].map(({ id }) => id);
  return (
    <section className="stack" aria-label={t('admin.basemaps')}>
      <p className="soft">{t('basemaps.lead')}</p>
      <Wrong failure={failure} />
      <WhenLoaded loaded={listed} onRetry={again}>
        {({ basemaps, unreadable, default: usual }) => {
          const presets = offered.kind === 'loaded' ? offered.value.presets : [];
          const others = basemaps.filter(({ id }) => !presets.some((one) => one.id === id));
          return (
            <ul className="basemap-list">
              <li className="panel basemap-entry">
                <div className="grow stack tight">
                  <strong>{t('basemap.world')}</strong>
                  <span className="soft small-text">{t('basemaps.packaged')}</span>
                </div>
                {usual === null && <span className="badge good">{t('basemaps.usual')}</span>}
              </li>
              {presets.map((preset) => {
                const on = basemaps.find(({ id }) => id === preset.id);
                return (
                  <li key={preset.id} className="panel basemap-entry">
                    <AboutPreset preset={preset} isOn={on !== undefined} />
                    {on === undefined ? (
                      <Button
                        small
                        look="primary"
                        disabled={isBusy}
                        aria-label={t('basemaps.on-named', { title: preset.title })}
                        onClick={() => void switchOn({ id: preset.id, ...preset.definition })}
                      >
                        {t('basemaps.on')}
                      </Button>
                    ) : (
                      actions(on, usual)
                    )}
                  </li>
                );
              })}
              {others.map((one) => (
                <li key={one.id} className="panel basemap-entry">
                  <div className="grow stack tight">
                    <strong>{one.title}</strong>
                    <span className="soft small-text">
                      {[one.attribution, ...one.sites.map((site) => t('basemaps.asks', { host: hostOf(site) }))]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </div>
                  {actions(one, usual)}
                </li>
              ))}
              {unreadable.map((one) => (
                <li key={one.id} className="panel basemap-entry">
                  <div className="grow stack tight">
                    <strong>{one.title}</strong>
                    <span className="small-text">
                      {t('basemaps.unreadable')} <span lang="en">The archive {one.reason}.</span>
                    </span>
                  </div>
                  {actions(one, usual)}
                </li>
              ))}
              {archives
                .filter(({ on }) => !on)
                .map((one) => (
                  <li key={one.id} className="panel basemap-entry">
                    <div className="grow stack tight">
                      <strong>{one.title}</strong>
                      <span className="soft small-text">
                        {[one.attribution, fileSize(t, one.bytes), t('basemaps.is-off')].join(' · ')}
                      </span>
                    </div>
                    <div className="row tight">
                      <Button
                        small
                        look="primary"
                        disabled={isBusy}
                        aria-label={t('basemaps.on-named', { title: one.title })}
                        onClick={() =>
                          void change(
                            send('PATCH', `/api/v2/basemaps/${one.id}/`, { body: { on: true }, headers: STRICT }),
                            t('basemaps.was-on', { title: one.title }),
                          )
                        }
                      >
                        {t('basemaps.on')}
                      </Button>
                      {removeButton(one)}
                    </div>
                  </li>
                ))}
            </ul>
          );
        }}
      </WhenLoaded>
      <div>
        <Button icon="plus" onClick={() => setAdding(true)}>
          {t('basemaps.add')}
        </Button>
      </div>
      {removing !== undefined && (
        <Dialog
          title={t('basemaps.remove-named', { title: removing.title })}
          onClose={() => setRemoving(undefined)}
          footer={
            <>
              <Button onClick={() => setRemoving(undefined)}>{t('action.cancel')}</Button>
              <Button
                look="danger"
                disabled={isBusy}
                onClick={() => {
                  setRemoving(undefined);
                  void change(
                    send('DELETE', `/api/v2/basemaps/${removing.id}/`, { headers: STRICT }),
                    t('basemaps.removed', { title: removing.title }),
                  );
                }}
              >
                {t('action.remove')}
              </Button>
            </>
          }
        >
          <p>{t('basemaps.remove-about')}</p>
        </Dialog>
      )}
      {isAdding && (
        <AddBasemap
          onClose={() => setAdding(false)}
          isBusy={isBusy}
          onUpload={(form) => upload(form, taken)}
          onSave={async (entry) => {
            if (await switchOn({ id: newBasemapId(entry.title, taken), ...entry })) setAdding(false);
          }}
          failure={failure}
        />
      )}
    </section>
  );
}

function AboutPreset({ preset, isOn }: { readonly preset: Preset; readonly isOn: boolean }) {
  const t = useText();
  const { title, licence, licence_url, terms_url, definition } = preset;
  const host = hostOf(definition.url);
  return (
    <div className="grow stack tight">
      <span className="row tight">
        <strong>{title}</strong>
        {isOn && <span className="badge good">{t('basemaps.is-on')}</span>}
      </span>
      <span className="soft small-text">
        {licence}
        <OutsideLink href={licence_url} name={t('basemaps.licence-of', { title })} />
        {' · '}
        {t('basemaps.terms')}
        <OutsideLink href={terms_url} name={t('basemaps.terms-of', { title })} />
        {' · '}
        {t('basemaps.asks', { host })}
      </span>
      <span className="soft small-text">{definition.attribution}</span>
    </div>
  );
}
