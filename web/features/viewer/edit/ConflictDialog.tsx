// Somebody else has changed a feature since it was read: both versions side by side, and the choice between them.

import { useEffect, useState } from 'react';
import { type Edit, lastEdit } from '../../../api/layer-history.ts';
import type { Layer } from '../../../api/types.ts';
import { type EditFeature, fieldNow, hasNewShape, type StoredFeature } from '../../../lib/edit/edit-session.ts';
import { type FormField, inputText } from '../../../lib/edit/feature-form.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';

export function ConflictDialog({
  layer,
  mine,
  theirs,
  fields,
  onMine,
  onTheirs,
  onClose,
}: {
  /** Undefined: nobody knows who. */
  readonly layer: Layer | undefined;
  readonly mine: EditFeature;
  /** Undefined: it was deleted. */
  readonly theirs: StoredFeature | undefined;
  readonly fields: readonly FormField[];
  readonly onMine: () => void;
  readonly onTheirs: () => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const rows = fields.flatMap((field) => {
    const [own, other] = [
      inputText(fieldNow(mine, field.name), field),
      inputText(theirs?.properties[field.name], field),
    ];
    return own === other || theirs === undefined ? [] : [{ field, own, other }];
  });
  const isMoved =
    theirs !== undefined && JSON.stringify(theirs.geometry) !== JSON.stringify(mine.geometry) && !mine.isDeleted;
  const was = JSON.stringify(mine.stored?.geometry);
  const last = useLastEdit(layer, mine.stored?.id);
  return (
    <Dialog
      title={t('edit.conflict-title')}
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onTheirs}>{t(theirs === undefined ? 'edit.let-go' : 'edit.take-theirs')}</Button>
          <Button look="primary" onClick={onMine}>
            {t(theirs === undefined ? 'edit.make-new' : mine.isDeleted ? 'edit.delete-still' : 'edit.keep-mine')}
          </Button>
        </>
      }
    >
      <p>
        {t(theirs === undefined ? 'edit.gone-text' : mine.isDeleted ? 'edit.conflict-deleted' : 'edit.conflict-text')}
      </p>
      {last !== undefined && (
        <p role="status">{t('edit.conflict-by', { who: last.by ?? t('history.nobody'), when: t.time(last.at) })}</p>
      )}
      {(rows.length > 0 || isMoved) && (
        <table className="data-table">
          <thead>
            <tr>
              <th scope="col">{t('edit.field')}</th>
              <th scope="col">{t('edit.mine')}</th>
              <th scope="col">{t('edit.theirs')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ field, own, other }) => (
              <tr key={field.name}>
                <th scope="row">{field.title}</th>
                <td>{own}</td>
                <td>{other}</td>
              </tr>
            ))}
            {isMoved && (
              <tr>
                <th scope="row">{t('edit.shape')}</th>
                <td>{t(hasNewShape(mine) ? 'edit.shape-changed' : 'edit.shape-same')}</td>
                <td>{t(JSON.stringify(theirs.geometry) === was ? 'edit.shape-same' : 'edit.shape-changed')}</td>
              </tr>
            )}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}

/** Whose change it is; it is not waited for. */
function useLastEdit(layer: Layer | undefined, row: string | number | undefined): Edit | undefined {
  const [last, setLast] = useState<Edit>();
  useEffect(() => {
    if (layer === undefined || row === undefined) return;
    const gone = new AbortController();
    void lastEdit(layer, row, gone.signal).then((edit) => {
      if (!gone.signal.aborted) setLast(edit);
    });
    return () => gone.abort();
  }, [layer, row]);
  return last;
}
