// What the maker of a map wrote to a place or a shape on it.

import type { Annotation } from '../../lib/annotations.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import './feature-card.css';

export function AnnotationCard({
  one,
  onEdit,
  onClose,
}: {
  readonly one: Annotation;
  /** Undefined: here nothing is edited. */
  readonly onEdit?: () => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  return (
    <section className="feature-card" aria-label={t('note.single')}>
      <header>
        <h2>{one.title === '' ? t(`note.kind.${one.kind}`) : one.title}</h2>
        <IconButton icon="close" small name={t('action.close')} onClick={onClose} />
      </header>
      <p className={one.description === '' ? 'soft' : 'note-text'}>
        {one.description === '' ? t('note.no-description') : one.description}
      </p>
      {onEdit !== undefined && (
        <Button small icon="edit" onClick={onEdit}>
          {t('action.edit')}
        </Button>
      )}
    </section>
  );
}
