// On the card of a table that is not sent yet: the button that looks at it, and what is seen.

import { useText } from '../../lib/i18n/text.ts';
import { Button } from '../../ui/Button.tsx';
import { Wrong } from '../../ui/States.tsx';
import { ProgressBar } from './ProgressBar.tsx';
import { TablePanel } from './TablePanel.tsx';
import type { useTablePreview } from './use-table-preview.ts';

export function TableLook({ table }: { readonly table: ReturnType<typeof useTablePreview> }) {
  const t = useText();
  const { preview, share } = table;
  if (!table.isTable) return null;
  return (
    <>
      <Wrong failure={table.failure} />
      {preview === undefined ? (
        <div className="row">
          <Button icon="table" disabled={table.isLooking} onClick={() => void table.open()}>
            {t(table.isLooking ? 'preview.looking' : 'preview.open')}
          </Button>
          {table.isRemembered && (
            <>
              <p className="soft small-text">{t('preview.known')}</p>
              <Button small look="quiet" onClick={table.forget}>
                {t('preview.reset')}
              </Button>
            </>
          )}
        </div>
      ) : (
        <TablePanel
          preview={preview}
          wish={table.wish}
          isLooking={table.isLooking}
          isRemembered={table.isRemembered}
          onChange={table.change}
        />
      )}
      {share !== undefined && share < 1 && <ProgressBar share={share} label={t('add.sending')} />}
    </>
  );
}
