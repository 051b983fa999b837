// The question when somebody else has saved a newer version since this one was opened: overwrite it, reload, or keep one's own as a new item.

import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

export function ConflictDialog({
  id,
  since,
  onOverwrite,
  onReload,
  onSaveAsNew,
  onClose,
}: {
  readonly id: number;
  /** When what one has was last changed. */
  readonly since: string;
  readonly onOverwrite: () => void;
  readonly onReload: () => void;
  /** Undefined: there is nothing that could be made of it. */
  readonly onSaveAsNew: (() => void) | undefined;
  readonly onClose: () => void;
}) {
  const t = useText();
  const [loaded] = useLoaded(`/api/v2/resources/${id}/versions/?limit=1`);
  const [newest] = loaded.kind === 'loaded' ? loaded.value.versions : [];
  return (
    <Dialog
      title={t('conflict.title')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onReload}>{t('conflict.reload')}</Button>
          {onSaveAsNew !== undefined && <Button onClick={onSaveAsNew}>{t('conflict.as-new')}</Button>}
          <Button look="danger" onClick={onOverwrite}>
            {t('conflict.overwrite')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>
          {newest === undefined || newest.by === null || newest.made <= since
            ? t('conflict.text-unknown')
            : t('conflict.text', { who: newest.by, when: t.time(newest.made) })}
        </p>
        <p className="soft">{t('conflict.hint')}</p>
      </div>
    </Dialog>
  );
}
