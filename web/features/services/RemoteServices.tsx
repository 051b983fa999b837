// Services of other people: whether they answer, what they offer, and which of it is in the catalogue. Administrators have everybody's, others their own.

import { useState } from 'react';
import { STRICT, send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { forgetLoaded, useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useDefaults } from '../../lib/use-defaults.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { InputField, SelectField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Link } from '../../ui/Link.tsx';
import { OutsideLink } from '../../ui/OutsideLink.tsx';
import { Empty, WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { SharingChoice, useNewSharing } from '../resource/sharing/SharingChoice.tsx';
import './services.css';

const EVERY = [1, 24, 168, 720] as const;

/** `owner`: whose are listed; everybody's that the reader may see where nobody is named. */
export function RemoteServices({ owner }: { readonly owner?: string }) {
  const t = useText();
  const hosts = useDefaults()?.remote_hosts ?? [];
  const [loaded, again] = useFresh('/api/v2/remote/services/');
  const [isAdding, setAdding] = useState(false);
  const [opened, setOpened] = useState<number>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const done = (said?: string): void => {
    setFailure(undefined);
    forgetLoaded();
    again();
    if (said !== undefined) say(said);
  };
  const act = async (method: 'POST' | 'DELETE', path: string, said: string): Promise<void> => {
    const reply = await during(send(method, `/api/v2/remote/services/${path}`, { headers: STRICT }));
    if (reply.ok) done(said);
    else setFailure(reply.error);
  };
  return (
    <section className="stack" aria-label={t('admin.services')}>
      <p className="soft">{t('services.lead')}</p>
      {hosts.length === 0 && <p className="notice">{t('services.off')}</p>}
      <div className="row">
        <Button icon="plus" look="primary" disabled={hosts.length === 0} onClick={() => setAdding(true)}>
          {t('services.add')}
        </Button>
      </div>
      <Wrong failure={failure} />
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ services }) => {
          const listed = services.filter((one) => owner === undefined || one.owner === owner);
          return listed.length === 0 ? (
            <Empty title={t('services.none')} icon="external" />
          ) : (
            <ul className="service-list">
              {listed.map((one) => (
                <li key={one.id} className="panel stack tight">
                  <div className="row apart service-head">
                    <div className="grow stack tight">
                      <p className="row tight">
                        <strong>{one.title}</strong>
                        <span className={one.health === 'reachable' ? 'badge good' : 'badge'}>
                          {t(`services.health.${one.health}`)}
                        </span>
                        <span className="soft small-text">{one.kind}</span>
                      </p>
                      <p className="soft small-text service-address">
                        {one.url}
                        {owner === undefined && one.owner !== null && ` · ${one.owner}`}
                      </p>
                      <p className="small-text">
                        {t('services.counts', { offered: one.offered, layers: one.layers })}
                        {one.gone > 0 && ` · ${t('services.gone', { n: one.gone })}`}
                        {one.harvested !== null && ` · ${t('services.harvested', { when: t.time(one.harvested) })}`}
                        {' · '}
                        {one.every_hours === null
                          ? t('services.by-hand')
                          : t('services.every-n', { n: one.every_hours })}
                      </p>
                      {one.error !== null && <p className="small-text notice warm">{one.error}</p>}
                    </div>
                    <Button
                      small
                      aria-expanded={opened === one.id}
                      aria-label={t('services.layers-of', { title: one.title })}
                      onClick={() => setOpened(opened === one.id ? undefined : one.id)}
                    >
                      {t('services.offers')}
                    </Button>
                    <Button
                      small
                      disabled={isBusy}
                      aria-label={t('services.harvest-named', { title: one.title })}
                      onClick={() => void act('POST', `${one.id}/harvest/`, t('services.asked'))}
                    >
                      {t('services.harvest')}
                    </Button>
                    <Button
                      small
                      look="danger"
                      disabled={isBusy}
                      aria-label={t('action.remove-named', { name: one.title })}
                      onClick={() => void act('DELETE', `${one.id}/`, t('services.removed'))}
                    >
                      {t('action.remove')}
                    </Button>
                  </div>
                  {opened === one.id && <Offers id={one.id} onAdded={() => done(t('services.in-catalogue'))} />}
                </li>
              ))}
            </ul>
          );
        }}
      </WhenLoaded>
      {isAdding && (
        <AddService
          hosts={hosts}
          onClose={() => setAdding(false)}
          onDone={(id) => {
            setAdding(false);
            setOpened(id);
            done(t('services.added'));
          }}
        />
      )}
    </section>
  );
}

function AddService({
  hosts,
  onClose,
  onDone,
}: {
  readonly hosts: readonly string[];
  readonly onClose: () => void;
  readonly onDone: (id: number) => void;
}) {
  const t = useText();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const save = async (form: FormData): Promise<void> => {
    const every = String(form.get('every') ?? '');
    const body = { url: String(form.get('url') ?? ''), every_hours: every === '' ? null : Number(every) };
    const reply = await during(send('POST', '/api/v2/remote/services/', { body, headers: STRICT }));
    if (reply.ok) onDone(reply.value.service.id);
    else setFailure(reply.error);
  };
  return (
    <FormDialog title={t('services.add')} isBusy={isBusy} onClose={onClose} onSave={save}>
      <Wrong failure={failure} />
      <InputField
        label={t('external.address')}
        hint={t('external.address-hint', { hosts: hosts.join(', ') })}
        name="url"
        required
        maxLength={2000}
        spellCheck={false}
      />
      <SelectField label={t('services.every')} name="every" defaultValue="24">
        {EVERY.map((n) => (
          <option key={n} value={n}>
            {t('services.every-n', { n })}
          </option>
        ))}
        <option value="">{t('services.by-hand')}</option>
      </SelectField>
    </FormDialog>
  );
}

function Offers({ id, onAdded }: { readonly id: number; readonly onAdded: () => void }) {
  const t = useText();
  const [loaded, again] = useFresh(`/api/v2/remote/services/${id}/`);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const sharing = useNewSharing();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const add = async (): Promise<void> => {
    const body = { names: [...chosen].slice(0, 200), permissions: sharing.permissions };
    const reply = await during(send('POST', `/api/v2/remote/services/${id}/layers/`, { body, headers: STRICT }));
    if (!reply.ok) return setFailure(reply.error);
    setChosen(new Set());
    again();
    onAdded();
  };
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ service: { offers } }) => (
        <div className="stack">
          <Wrong failure={failure} />
          <ul className="offer-list">
            {offers.map(({ name, title, becomes, layer, document, reason, page }) => (
              <li key={name}>
                {layer !== null ? (
                  <Link to={`/layers/${layer}`}>{title}</Link>
                ) : document !== null ? (
                  <Link to={`/documents/${document}`}>{title}</Link>
                ) : becomes === null ? (
                  <span className="soft">
                    {title}
                    {reason !== null && ` · ${t(`services.reason.${reason}`)}`}
                  </span>
                ) : (
                  <label className="check">
                    <input
                      type="checkbox"
                      checked={chosen.has(name)}
                      onChange={({ target: { checked } }) =>
                        setChosen((all) => new Set(checked ? [...all, name] : [...all].filter((one) => one !== name)))
                      }
                    />
                    <span>
                      {title}
                      {becomes === 'document' && reason !== null && (
                        <span className="soft">{` · ${t('services.as-document')}: ${t(`services.reason.${reason}`)}`}</span>
                      )}
                    </span>
                  </label>
                )}
                {becomes === 'document' && page !== null && (
                  <OutsideLink href={page} name={t('services.page', { title })} />
                )}
              </li>
            ))}
          </ul>
          {chosen.size > 0 && <SharingChoice sharing={sharing} name="remote-sharing" />}
          <div className="row">
            <Button icon="plus" disabled={chosen.size === 0 || isBusy} onClick={() => void add()}>
              {t('services.into-catalogue')}
            </Button>
          </div>
        </div>
      )}
    </WhenLoaded>
  );
}
