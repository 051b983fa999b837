// Layers of other people's services: an address is pasted, what it offers is listed, and chosen ones come onto the map.

import { type FormEvent, useState } from 'react';
import { get } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { type ExternalLayer, isPicture, parseExternal } from '../../lib/external-layer.ts';
import { useText } from '../../lib/i18n/text.ts';
import { failureText } from '../../lib/server-message.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { InputField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { OutsideLink } from '../../ui/OutsideLink.tsx';
import { Empty } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import '../catalogue/catalogue.css';

type Offer = {
  readonly title: string;
  readonly name: string;
  readonly abstract: string;
  /** Undefined: no map can show it, and `reason` says why. */
  readonly external: ExternalLayer | undefined;
  readonly reason: 'files' | 'page' | 'unnamed' | 'no-links';
  readonly page: string | null;
};
type Read = { readonly title: string; readonly offers: readonly Offer[]; readonly isTruncated: boolean };

/** More are found by their names. */
const SHOWN = 100;

export function AddExternalDialog({
  hosts,
  present,
  onAdd,
  onClose,
}: {
  readonly hosts: readonly string[];
  readonly present: readonly ExternalLayer[];
  readonly onAdd: (external: ExternalLayer) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const [read, setRead] = useState<Read>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const [wanted, setWanted] = useState('');
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const url = String(new FormData(event.currentTarget).get('url')).trim();
    setBusy(true);
    setFailure(undefined);
    setRead(undefined);
    const reply = await get(`/api/v2/remote/service/?url=${encodeURIComponent(url)}`);
    setBusy(false);
    if (!reply.ok) return setFailure(reply.error);
    const { title, layers, truncated } = reply.value;
    setRead({
      title,
      isTruncated: truncated,
      // What can be shown comes first.
      offers: layers
        .map(({ layer, bbox, abstract, name, title: own, attribution, reason, page }) => ({
          title: own === '' ? name : own,
          name,
          abstract,
          external: layer === null ? undefined : parseExternal({ ...layer, title: own, attribution, bbox }),
          reason: reason ?? 'no-links',
          page,
        }))
        .sort((one, other) => Number(one.external === undefined) - Number(other.external === undefined)),
    });
  };
  const words = wanted.trim().toLowerCase();
  const found = (read?.offers ?? []).filter(({ title, name }) => `${title} ${name}`.toLowerCase().includes(words));
  const isPresent = (one: ExternalLayer): boolean =>
    present.some(({ url, name, kind }) => url === one.url && name === one.name && kind === one.kind);
  return (
    <Dialog title={t('external.add')} onClose={onClose} footer={<Button onClick={onClose}>{t('action.done')}</Button>}>
      <div className="stack">
        <form className="stack" onSubmit={(event) => void submit(event)}>
          <InputField
            label={t('external.address')}
            hint={t('external.address-hint', { hosts: hosts.join(', ') })}
            name="url"
            required
            maxLength={2000}
            spellCheck={false}
            autoCapitalize="none"
            placeholder="https://"
          />
          <div className="row">
            <Button type="submit" look="primary" icon="search" disabled={isBusy}>
              {t(isBusy ? 'external.reading' : 'external.read')}
            </Button>
          </div>
        </form>
        {failure !== undefined && (
          <p className="notice warm" role="alert">
            {failureText(t, failure)}
          </p>
        )}
        {read !== undefined && (
          <section className="stack" aria-label={t('external.found')}>
            <h3>{read.title === '' ? t('external.found') : read.title}</h3>
            {read.offers.length > 10 && (
              <InputField
                label={t('viewer.find-layer')}
                type="search"
                value={wanted}
                onChange={(event) => setWanted(event.target.value)}
              />
            )}
            {found.every(({ external }) => external === undefined) && <Empty title={t('external.none')} icon="layer" />}
            <ul className="rows">
              {found.slice(0, SHOWN).map(({ external, name, title, abstract, reason, page }) =>
                external === undefined ? (
                  <li key={name} className="row-item undrawable">
                    <Icon name="document" />
                    <div className="grow">
                      <strong>{title}</strong>
                      <p>{t('external.not-drawn', { reason: t(`services.reason.${reason}`) })}</p>
                    </div>
                    {page !== null && <OutsideLink href={page} name={t('services.page', { title })} />}
                  </li>
                ) : (
                  <li key={`${external.url} ${external.name}`} className="row-item">
                    <Icon name={isPicture(external) ? 'layer' : 'polygon'} />
                    <div className="grow">
                      <strong>{external.title}</strong>
                      <p className="card-about">{abstract}</p>
                    </div>
                    {isPresent(external) && (
                      <span className="badge good">
                        <Icon name="check" />
                        {t('viewer.on-map')}
                      </span>
                    )}
                    <Button
                      small
                      icon="plus"
                      aria-label={t('viewer.add-named', { title: external.title })}
                      onClick={() => {
                        onAdd(external);
                        say(t('viewer.added', { title: external.title }));
                      }}
                    >
                      {t('action.add')}
                    </Button>
                  </li>
                ),
              )}
            </ul>
            {(found.length > SHOWN || read.isTruncated) && <p className="soft">{t('external.more')}</p>}
          </section>
        )}
      </div>
    </Dialog>
  );
}
