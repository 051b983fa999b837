// What stands above the map: its name, the tools, and saving it.

import type { ReactNode } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Link } from '../../ui/Link.tsx';
import type { MeasureKind } from './MeasureBar.tsx';

export function ViewerBar({
  title,
  isUnsaved,
  isSideOpen,
  onSide,
  measure,
  onMeasure,
  isAnnotating,
  onAnnotate,
  isSwiping,
  canSwipe,
  onSwipe,
  bookmarks,
  basemaps,
  onPrint,
  onHome,
  onShare,
  onSave,
  address,
}: {
  readonly title: string;
  readonly isUnsaved: boolean;
  readonly isSideOpen: boolean;
  readonly onSide: () => void;
  readonly measure: MeasureKind | undefined;
  readonly onMeasure: (kind: MeasureKind) => void;
  readonly isAnnotating: boolean;
  readonly onAnnotate: () => void;
  readonly isSwiping: boolean;
  readonly canSwipe: boolean;
  readonly onSwipe: () => void;
  readonly bookmarks: ReactNode;
  readonly basemaps: ReactNode;
  readonly onPrint: () => void;
  /** Back to where the map began. */
  readonly onHome: () => void;
  readonly onShare: () => void;
  readonly onSave: () => void;
  /** Where the map is found again, for who signs in first. */
  readonly address: string;
}) {
  const t = useText();
  const { user } = useSession();
  return (
    <div className="viewer-bar">
      <IconButton
        icon={isSideOpen ? 'left' : 'layer'}
        name={isSideOpen ? t('viewer.hide-side') : t('viewer.show-side')}
        aria-expanded={isSideOpen}
        onClick={onSide}
      />
      <h1 className="viewer-title">{title}</h1>
      {isUnsaved && <span className="badge">{t('viewer.unsaved')}</span>}
      <div className="viewer-tools" role="toolbar" aria-label={t('viewer.tools')}>
        <IconButton
          icon="ruler"
          name={t('measure.length')}
          aria-pressed={measure === 'length'}
          onClick={() => onMeasure('length')}
        />
        <IconButton
          icon="geoapp"
          name={t('measure.area')}
          aria-pressed={measure === 'area'}
          onClick={() => onMeasure('area')}
        />
        <IconButton icon="note" name={t('note.title')} aria-pressed={isAnnotating} onClick={onAnnotate} />
        <IconButton
          icon="swipe"
          name={t('swipe.title')}
          aria-pressed={isSwiping}
          disabled={!canSwipe}
          onClick={onSwipe}
        />
        <IconButton icon="target" name={t('viewer.home')} onClick={onHome} />
        {basemaps}
        {bookmarks}
        <IconButton icon="print" name={t('viewer.print')} onClick={onPrint} />
        <IconButton icon="share" name={t('action.share')} onClick={onShare} />
      </div>
      {user === null ? (
        <Link className="button" to={`/account/login?next=${encodeURIComponent(address)}`}>
          {t('viewer.sign-in-to-save')}
        </Link>
      ) : (
        <Button look="primary" icon="save" onClick={onSave}>
          {t('action.save')}
        </Button>
      )}
    </div>
  );
}
