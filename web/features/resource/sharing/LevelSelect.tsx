// What somebody may do with an item, as one of the levels.

import { useText } from '../../../lib/i18n/text.ts';
import { LEVELS, type Level } from '../../../lib/levels.ts';

export function LevelSelect({
  label,
  level,
  onChange,
}: {
  readonly label: string;
  readonly level: Level | 'custom' | undefined;
  readonly onChange: (level: Level) => void;
}) {
  const t = useText();
  return (
    <select
      className="input small share-level"
      aria-label={label}
      value={level ?? 'view'}
      onChange={(event) => {
        const chosen = LEVELS.find((one) => one === event.target.value);
        if (chosen !== undefined) onChange(chosen);
      }}
    >
      {LEVELS.map((one) => (
        <option key={one} value={one}>
          {t(`level.${one}`)}
        </option>
      ))}
      {level === 'custom' && <option value="custom">{t('level.custom')}</option>}
    </select>
  );
}
