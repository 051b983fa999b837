// Comments on an item, newest first: reading for everybody who sees it, writing for who is signed in.

import { useEffect, useRef, useState } from 'react';
import type { Comment } from '../../../client/src/operations.gen.ts';
import { get, send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Resource } from '../../api/types.ts';
import { useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { usePlace } from '../../lib/navigation.ts';
import { failureText } from '../../lib/server-message.ts';
import { useSession } from '../../lib/session.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Link } from '../../ui/Link.tsx';
import { Wrong } from '../../ui/States.tsx';
import { complain } from '../../ui/toast.tsx';
import { CommentForm } from './CommentForm.tsx';
import { CommentItem } from './CommentItem.tsx';
import './comments.css';

const PAGE = 20;

export function Comments({ item }: { readonly item: Resource }) {
  const t = useText();
  const { user } = useSession();
  const { path, hash } = usePlace();
  const base = `/api/v2/resources/${Number(item.pk)}/comments/` as const;
  const [loaded, again] = useFresh(`${base}?limit=${PAGE}`);
  /** What was written, changed and loaded since the first answer. */
  const [more, setMore] = useState<readonly Comment[]>([]);
  const [isAtEnd, setAtEnd] = useState(false);
  const [isBusy, during] = useBusy();
  const place = useRef<HTMLElement>(null);
  const isThere = loaded.kind === 'loaded';
  useEffect(() => {
    if (isThere && hash === 'comments') place.current?.scrollIntoView();
  }, [isThere, hash]);
  if (loaded.kind !== 'loaded') return loaded.kind === 'failed' ? <Wrong failure={loaded.failure} /> : null;
  const { comments: first, may_comment: mayComment, is_open: isOpen } = loaded.value;
  const comments = [...first, ...more];
  if (!isOpen && comments.length === 0) return null;
  const add = async (body: string): Promise<Failure | undefined> => {
    const reply = await send('POST', base, { body: { body } });
    if (!reply.ok) return reply.error;
    setMore([]);
    setAtEnd(false);
    again();
    return undefined;
  };
  const older = async (): Promise<void> => {
    const last = comments.at(-1)?.id;
    if (last === undefined) return;
    const reply = await during(get(`${base}?limit=${PAGE}&before=${last}`));
    if (!reply.ok) return complain(failureText(t, reply.error));
    setMore([...more, ...reply.value.comments]);
    setAtEnd(reply.value.comments.length < PAGE);
  };
  /** Undefined: it is gone. */
  const replace = (id: number, by: Comment | undefined): void => {
    if (more.some((one) => one.id === id)) setMore(more.flatMap((one) => (one.id === id ? (by ?? []) : one)));
    else again();
  };
  const hasOlder = !isAtEnd && (more.length > 0 || first.length === PAGE);
  return (
    <section className="comments stack" id="comments" ref={place} aria-labelledby="comments-title">
      <h2 id="comments-title">{t('comments.title')}</h2>
      {mayComment && <CommentForm label={t('comments.write')} send={t('comments.send')} onSend={add} />}
      {user === null && isOpen && (
        <p className="soft">
          <Link to={`/account/login?next=${encodeURIComponent(path)}`}>{t('comments.sign-in')}</Link>
        </p>
      )}
      {!isOpen && <p className="soft">{t('comments.off')}</p>}
      {comments.length === 0 && <p className="soft">{t('comments.none')}</p>}
      {comments.length > 0 && (
        <ol className="comment-list">
          {comments.map((comment) => (
            <CommentItem key={comment.id} base={base} comment={comment} onChanged={replace} />
          ))}
        </ol>
      )}
      {hasOlder && (
        <div>
          <Button disabled={isBusy} onClick={() => void older()}>
            {t('comments.older')}
          </Button>
        </div>
      )}
    </section>
  );
}
