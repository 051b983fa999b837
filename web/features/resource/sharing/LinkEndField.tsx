// When a link ends: after some days, with a day, or never. What is chosen is what `endOf` reads.

import { useText } from '../../../lib/i18n/text.ts';
import { DAYS } from '../../../lib/link-end.ts';
import { Field } from '../../../ui/Field.tsx';

const ON_DAY = 'day';

export function LinkEndField({
  label,
  choice,
  onChange,
}: {
  readonly label: string;
  readonly choice: string;
  readonly onChange: (choice: string) => void;
}) {
  const t = useText();
  const isDay = choice === '' || choice.includes('-');
  return (
    <div className="link-end">
      <Field label={label}>
        {(wired) => (
          <select
            {...wired}
            className="input"
            value={isDay ? ON_DAY : choice}
            onChange={(event) => onChange(event.target.value === ON_DAY ? '' : event.target.value)}
          >
            {DAYS.map((days) => (
              <option key={days} value={days}>
                {t.count('share-links.in-days', days)}
              </option>
            ))}
            <option value={ON_DAY}>{t('share-links.on-day')}</option>
            <option value="never">{t('share-links.never')}</option>
          </select>
        )}
      </Field>
      {isDay && (
        <Field label={t('share-links.day')}>
          {(wired) => (
            <input
              {...wired}
              className="input"
              type="date"
              min={dayOf(new Date())}
              value={choice}
              onChange={(event) => onChange(event.target.value)}
            />
          )}
        </Field>
      )}
    </div>
  );
}

/** As a field for dates has it, where the person is. */
function dayOf(date: Date): string {
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
}
