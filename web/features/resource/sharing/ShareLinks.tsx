// Links for everyone who has them: made, copied, renewed and ended, each at once. And what the item shows and they do not.

import { useState } from 'react';
import type { Answer } from '../../../api/answer.ts';
import { get, send } from '../../../api/client.ts';
import type { Failure } from '../../../api/failure.ts';
import type { Resource } from '../../../api/types.ts';
import { forgetLoaded, useFresh } from '../../../api/use-loaded.ts';
import { useText } from '../../../lib/i18n/text.ts';
import type { Result } from '../../../lib/result.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Waiting, Wrong } from '../../../ui/States.tsx';
import { say } from '../../../ui/toast.tsx';
import { type NewLink, NewShareLink } from './NewShareLink.tsx';
import { ShareLinkItem } from './ShareLinkItem.tsx';

type Links = Answer<'GET', `/api/v2/resources/${number}/share_links/`>;
export type ShareLink = Links['links'][number];
export type LinkChange = Partial<Pick<ShareLink, 'expires' | 'is_on'>> & { readonly permissions?: 'view' | 'download' };

export function ShareLinks({ item, onChanged }: { readonly item: Resource; readonly onChanged: () => void }) {
  const path = `/api/v2/resources/${Number(item.pk)}/share_links/` as const;
  const [loaded] = useFresh(path);
  switch (loaded.kind) {
    case 'loading':
      return <Waiting />;
    case 'failed':
      return <Wrong failure={loaded.failure} />;
    case 'loaded':
      return <LinkList path={path} title={item.title} first={loaded.value} onChanged={onChanged} />;
  }
}

function LinkList({
  path,
  title,
  first,
  onChanged,
}: {
  readonly path: `/api/v2/resources/${number}/share_links/`;
  readonly title: string;
  readonly first: Links;
  readonly onChanged: () => void;
}) {
  const t = useText();
  const [{ links, lacking, shown_by }, setLinks] = useState(first);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const follow = async (asked: Promise<Result<Links, Failure>>, done: string): Promise<boolean> => {
    setBusy(true);
    const reply = await asked;
    setBusy(false);
    forgetLoaded();
    if (reply.ok) {
      setLinks(reply.value);
      setFailure(undefined);
      say(done);
      onChanged();
      return true;
    }
    setFailure(reply.error);
    // Somebody else may have ended it.
    if (reply.error.kind === 'not-found') {
      const now = await get(path);
      if (now.ok) setLinks(now.value);
    }
    return false;
  };
  const make = (body: NewLink): Promise<boolean> => follow(send('POST', path, { body }), t('share-links.made'));
  const change = (id: number, body: LinkChange): Promise<boolean> =>
    follow(send('PATCH', `${path}${id}/`, { body }), t('share-links.changed'));
  const renew = (id: number): Promise<boolean> => follow(send('POST', `${path}${id}/renew/`), t('share-links.renewed'));
  const end = (id: number): Promise<boolean> => follow(send('DELETE', `${path}${id}/`), t('share-links.ended'));
  const mine = lacking.filter((one) => one.may_share).length;
  return (
    <section className="stack share-links" aria-labelledby="share-links-title">
      <h3 id="share-links-title">{t('share-links.title')}</h3>
      <p className="soft small-text">{t('share-links.about')}</p>
      <Wrong failure={failure} />
      {links.length > 0 && (
        <ul>
          {links.map((link, n) => (
            <ShareLinkItem
              key={link.id}
              link={link}
              name={link.title === '' ? t('share-links.unnamed', { n: links.length - n }) : link.title}
              title={title}
              isBusy={isBusy}
              onChange={(body) => change(link.id, body)}
              onRenew={() => renew(link.id)}
              onEnd={() => end(link.id)}
            />
          ))}
        </ul>
      )}
      {lacking.length > 0 && (
        <div className="notice warm unshared" role="status">
          <div className="stack tight">
            <p>{t.count('share-links.lacking', lacking.length)}</p>
            <ul>
              {lacking.map((one) => (
                <li key={one.pk}>{one.title}</li>
              ))}
            </ul>
            {mine > 0 && (
              <div>
                <Button
                  small
                  icon="eye"
                  disabled={isBusy}
                  onClick={() => void follow(send('POST', `${path}share/`), t('share-links.changed'))}
                >
                  {t.count('share-links.share', mine)}
                </Button>
              </div>
            )}
            {mine < lacking.length && (
              <p className="small-text">{t.count('sharing.not-yours', lacking.length - mine)}</p>
            )}
          </div>
        </div>
      )}
      <NewShareLink isBusy={isBusy} onMake={make} />
      {shown_by.length > 0 && (
        <>
          <h4>{t('share-links.shown-by')}</h4>
          <ul className="shares">
            {shown_by.map(({ id, item }) => {
              const name = item === null ? t('share-links.of-unseen') : t('share-links.of-item', { title: item });
              return (
                <li key={id}>
                  <span className="grow">{name}</span>
                  <IconButton
                    icon="close"
                    small
                    disabled={isBusy}
                    name={t('action.remove-named', { name })}
                    onClick={() => void end(id)}
                  />
                </li>
              );
            })}
          </ul>
        </>
      )}
    </section>
  );
}
