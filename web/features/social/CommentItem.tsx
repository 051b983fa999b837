// One comment, and what its reader may do with it: edit, hide, delete after a question.

import { useState } from 'react';
import type { Comment } from '../../../client/src/operations.gen.ts';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useText } from '../../lib/i18n/text.ts';
import { failureText } from '../../lib/server-message.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { LinkedText } from '../../ui/LinkedText.tsx';
import { Wrong } from '../../ui/States.tsx';
import { complain, say } from '../../ui/toast.tsx';
import { CommentForm } from './CommentForm.tsx';
import { personName } from './person-name.ts';

export function CommentItem({
  base,
  comment,
  onChanged,
}: {
  readonly base: `/api/v2/resources/${number}/comments/`;
  readonly comment: Comment;
  readonly onChanged: (id: number, by: Comment | undefined) => void;
}) {
  const t = useText();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const path = `${base}${comment.id}/` as const;
  const name = personName(comment.author, t('comments.gone-author'));
  const close = (): void => setOpen(undefined);
  const edit = async (body: string): Promise<Failure | undefined> => {
    const reply = await send('PATCH', path, { body: { body } });
    if (!reply.ok) return reply.error;
    close();
    onChanged(comment.id, reply.value);
    return undefined;
  };
  const hide = async (): Promise<void> => {
    const reply = await during(send('PATCH', path, { body: { hidden: !comment.hidden } }));
    if (reply.ok) onChanged(comment.id, reply.value);
    else complain(failureText(t, reply.error));
  };
  const remove = async (): Promise<void> => {
    const reply = await during(send('DELETE', path));
    if (!reply.ok) return setFailure(reply.error);
    close();
    say(t('deleted'));
    onChanged(comment.id, undefined);
  };
  return (
    <li className={comment.hidden ? 'comment is-hidden' : 'comment'}>
      <div className="comment-head">
        <strong>{name}</strong>
        <time className="soft small-text" dateTime={comment.created}>
          {t.time(comment.created)}
        </time>
        {comment.edited !== null && (
          <span className="soft small-text">{t('comments.edited', { date: t.time(comment.edited) })}</span>
        )}
        {comment.hidden && <span className="badge">{t('comments.hidden')}</span>}
        <span className="grow" />
        {comment.may_edit && <IconButton small icon="edit" name={t('comments.edit')} onClick={() => setOpen('edit')} />}
        {comment.may_hide && (
          <IconButton
            small
            icon={comment.hidden ? 'eye' : 'eye-off'}
            name={t(comment.hidden ? 'comments.show' : 'comments.hide', { name })}
            disabled={isBusy}
            onClick={() => void hide()}
          />
        )}
        {comment.may_delete && (
          <IconButton small icon="trash" name={t('comments.delete', { name })} onClick={() => setOpen('delete')} />
        )}
      </div>
      {open === 'edit' ? (
        <CommentForm
          label={t('comments.edit')}
          send={t('action.save')}
          start={comment.body}
          onSend={edit}
          onCancel={close}
        />
      ) : (
        <LinkedText text={comment.body} />
      )}
      {open === 'delete' && (
        <Dialog
          title={t('comments.delete-title')}
          onClose={close}
          footer={
            <>
              <Button onClick={close}>{t('action.cancel')}</Button>
              <Button look="danger" icon="trash" disabled={isBusy} onClick={() => void remove()}>
                {t('action.delete')}
              </Button>
            </>
          }
        >
          <div className="stack">
            <p>{t('comments.delete-text', { name })}</p>
            <Wrong failure={failure} />
          </div>
        </Dialog>
      )}
    </li>
  );
}
