// Where a comment is written or changed. What was written and not sent is not left without asking.

import { useState } from 'react';
import type { Failure } from '../../api/failure.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Wrong } from '../../ui/States.tsx';

const MAX_LENGTH = 5000;

export function CommentForm({
  label,
  send,
  start = '',
  onSend,
  onCancel,
}: {
  readonly label: string;
  /** The word on the button. */
  readonly send: string;
  readonly start?: string;
  /** What went wrong; undefined: it is sent. */
  readonly onSend: (body: string) => Promise<Failure | undefined>;
  readonly onCancel?: () => void;
}) {
  const t = useText();
  const [body, setBody] = useState(start);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  useUnsaved(body.trim() !== start.trim());
  const submit = async (): Promise<void> => {
    const wrong = await during(onSend(body));
    setFailure(wrong);
    if (wrong === undefined) setBody(start);
  };
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        label={label}
        hint={t('comments.hint')}
        rows={3}
        maxLength={MAX_LENGTH}
        value={body}
        onChange={(event) => setBody(event.target.value)}
      />
      <Wrong failure={failure} />
      <div className="row tight">
        <Button type="submit" look="primary" disabled={isBusy || body.trim() === ''}>
          {send}
        </Button>
        {onCancel !== undefined && <Button onClick={onCancel}>{t('action.cancel')}</Button>}
      </div>
    </form>
  );
}
