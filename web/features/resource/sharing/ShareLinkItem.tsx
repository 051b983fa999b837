// One link for everyone who has it: its address, until when it is good, and what can be done with it.

import { useId, useState } from 'react';
import { type Text, useText } from '../../../lib/i18n/text.ts';
import { endOf } from '../../../lib/link-end.ts';
import { Button } from '../../../ui/Button.tsx';
import { CopyField } from '../../../ui/CopyField.tsx';
import { SelectField } from '../../../ui/Field.tsx';
import { LinkEndField } from './LinkEndField.tsx';
import type { LinkChange, ShareLink } from './ShareLinks.tsx';

type Asked = 'renew' | 'end' | 'when';

export function ShareLinkItem({
  link,
  name,
  title,
  isBusy,
  onChange,
  onRenew,
  onEnd,
}: {
  readonly link: ShareLink;
  readonly name: string;
  /** Of the item. */
  readonly title: string;
  readonly isBusy: boolean;
  readonly onChange: (change: LinkChange) => Promise<boolean>;
  readonly onRenew: () => Promise<boolean>;
  readonly onEnd: () => Promise<boolean>;
}) {
  const t = useText();
  const id = useId();
  const [asked, ask] = useState<Asked>();
  const done = async (change: Promise<boolean>): Promise<void> => {
    if (await change) ask(undefined);
  };
  const toggle = (what: Asked): void => ask((now) => (now === what ? undefined : what));
  return (
    <li className="panel stack tight" aria-labelledby={id}>
      <p className="row">
        <strong id={id} className="grow">
          {name}
        </strong>
        <span className={link.is_good ? 'soft small-text' : 'badge warm'}>{stateOf(t, link)}</span>
      </p>
      <CopyField label={t('share-links.address')} value={link.url} />
      {link.embed_url !== null && (
        <CopyField
          label={t('links.embed')}
          value={`<iframe src="${link.embed_url}" width="800" height="500" title="${title.replaceAll('"', '&quot;')}" referrerpolicy="no-referrer"></iframe>`}
        />
      )}
      <SelectField
        label={t('share-links.level')}
        value={link.permissions}
        disabled={isBusy}
        onChange={(event) => void onChange({ permissions: event.target.value === 'download' ? 'download' : 'view' })}
      >
        <option value="view">{t('level.view')}</option>
        <option value="download">{t('level.download')}</option>
      </SelectField>
      <div className="row tight">
        <Button small disabled={isBusy} onClick={() => void onChange({ is_on: !link.is_on })}>
          {t(link.is_on ? 'share-links.off' : 'share-links.on')}
        </Button>
        {(['when', 'renew', 'end'] as const).map((what) => (
          <Button key={what} small aria-expanded={asked === what} disabled={isBusy} onClick={() => toggle(what)}>
            {t(`share-links.${what}`)}
          </Button>
        ))}
      </div>
      {asked === 'when' && <WhenForm isBusy={isBusy} onChange={(expires) => void done(onChange({ expires }))} />}
      {(asked === 'renew' || asked === 'end') && (
        <div className="notice warm" role="status">
          <span className="grow">{t(`share-links.${asked}-text`)}</span>
          <Button
            small
            look="danger"
            disabled={isBusy}
            onClick={() => void done(asked === 'renew' ? onRenew() : onEnd())}
          >
            {t(`share-links.${asked}-now`)}
          </Button>
        </div>
      )}
    </li>
  );
}

function WhenForm({
  isBusy,
  onChange,
}: {
  readonly isBusy: boolean;
  readonly onChange: (expires: string | null) => void;
}) {
  const t = useText();
  const [choice, setChoice] = useState('30');
  const expires = endOf(choice, Date.now());
  return (
    <div className="row link-when">
      <LinkEndField label={t('share-links.ends')} choice={choice} onChange={setChoice} />
      <Button
        small
        look="primary"
        disabled={isBusy || expires === undefined}
        onClick={() => expires !== undefined && onChange(expires)}
      >
        {t('action.save')}
      </Button>
    </div>
  );
}

function stateOf(t: Text, { permissions, expires, is_on, is_good }: ShareLink): string {
  if (!is_on) return t('share-links.is-off');
  if (!is_good) return t('share-links.has-ended');
  const end = expires === null ? t('share-links.endless') : t('share-links.ends-on', { date: t.date(expires) });
  return `${t(`level.${permissions}`)} · ${end}`;
}
