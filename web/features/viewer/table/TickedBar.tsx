// What is said of the rows that are ticked, and done with them; where there are more than a page, all that match can be meant.

import type { RowStore } from '../../../api/row-store.ts';
import type { FormField } from '../../../lib/edit/feature-form.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { Button } from '../../../ui/Button.tsx';
import { ChosenRows } from './ChosenRows.tsx';
import type { Ticked } from './use-ticked.ts';

export function TickedBar({
  ticked,
  total,
  fields,
  store,
  onDone,
}: {
  readonly ticked: Ticked;
  /** Of the rows that match; undefined: not known. */
  readonly total: number | undefined;
  readonly fields: readonly FormField[];
  readonly store: RowStore;
  readonly onDone: () => void;
}) {
  const t = useText();
  const { names, isAll, tickAll, clear } = ticked;
  if (names.size === 0) return null;
  if (isAll)
    return (
      <div className="table-bar">
        <span className="number" role="status">
          {total === undefined ? t('clean.rows-all') : t.count('clean.chosen-all', total)}
        </span>
        <Button small onClick={clear}>
          {t('table.choose-none')}
        </Button>
      </div>
    );
  return (
    <div className="table-bar">
      <ChosenRows rows={[...names]} fields={fields} store={store} onDone={onDone} onClear={clear} />
      {total !== undefined && total > names.size && (
        <Button small onClick={tickAll}>
          {t.count('clean.choose-all', total)}
        </Button>
      )}
    </div>
  );
}
