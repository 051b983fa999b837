// Where files are dropped, or chosen by keyboard.

import { useRef, useState } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';

export function DropZone({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const t = useText();
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    <section
      className={isOver ? 'drop-zone over' : 'drop-zone'}
      aria-label={t('add.drop')}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      <Icon name="upload" />
      <p className="drop-text">{t('add.drop')}</p>
      <Button look="primary" onClick={() => input.current?.click()}>
        {t('add.choose')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        className="visually-hidden"
        tabIndex={-1}
        aria-label={t('add.choose')}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </section>
  );
}
