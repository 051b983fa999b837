// To the page before and the one after, as two icons.

import { useText } from '../lib/i18n/text.ts';
import { IconButton } from './Button.tsx';

export function PageTurn({
  page,
  isLast,
  onTurn,
}: {
  /** From 0. */
  readonly page: number;
  readonly isLast: boolean;
  readonly onTurn: (page: number) => void;
}) {
  const t = useText();
  return (
    <>
      <IconButton small icon="left" name={t('pager.previous')} disabled={page === 0} onClick={() => onTurn(page - 1)} />
      <IconButton small icon="right" name={t('pager.next')} disabled={isLast} onClick={() => onTurn(page + 1)} />
    </>
  );
}
