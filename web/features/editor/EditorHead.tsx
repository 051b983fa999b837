// The head of an editor: what is written, and the two ways out of it.

import { useText } from '../../lib/i18n/text.ts';
import { Button } from '../../ui/Button.tsx';
import { Link } from '../../ui/Link.tsx';
import { ConflictDialog } from './ConflictDialog.tsx';
import type { Newer } from './use-written-item.ts';

export function EditorHead({
  heading,
  pk,
  isBusy,
  isReady,
  newer,
}: {
  readonly heading: string;
  /** Of the item; undefined: it does not exist yet. */
  readonly pk: string | undefined;
  readonly isBusy: boolean;
  /** What is written can be saved. */
  readonly isReady: boolean;
  readonly newer: Newer | undefined;
}) {
  const t = useText();
  return (
    <>
      <h1>{heading}</h1>
      {newer !== undefined && (
        <ConflictDialog
          id={newer.id}
          since={newer.since}
          onOverwrite={newer.overwrite}
          onReload={newer.reload}
          onSaveAsNew={newer.saveAsNew}
          onClose={newer.close}
        />
      )}
      <div className="row">
        <Link className="button" to={pk === undefined ? '/' : `/apps/preview/${pk}`}>
          {t('action.cancel')}
        </Link>
        <Button look="primary" icon="save" type="submit" disabled={isBusy || !isReady}>
          {isBusy ? t('action.saving') : t('action.save')}
        </Button>
      </div>
    </>
  );
}
