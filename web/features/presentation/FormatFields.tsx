// What a format of a column leaves open.

import { type ReactNode, useId, useState } from 'react';
import {
  type ColumnFormat,
  DATE_LENGTHS,
  isCurrency,
  MAX_DECIMALS,
} from '../../../src/geo/presentation/column-format.ts';
import { useText } from '../../lib/i18n/text.ts';

export function FormatFields({
  format,
  name,
  onChange,
}: {
  readonly format: ColumnFormat;
  /** Of the column. */
  readonly name: string;
  readonly onChange: (format: ColumnFormat) => void;
}) {
  const t = useText();
  switch (format.kind) {
    case 'number':
      return (
        <Parts>
          <Decimals format={format} name={name} onChange={onChange} />
          <label className="check small-text">
            <input
              type="checkbox"
              checked={format.thousands}
              onChange={(event) => onChange({ ...format, thousands: event.target.checked })}
            />
            {t('look.thousands')}
          </label>
        </Parts>
      );
    case 'currency':
      return (
        <Parts>
          <Currency code={format.currency} name={name} onChange={(currency) => onChange({ ...format, currency })} />
          <Decimals format={format} name={name} onChange={onChange} />
        </Parts>
      );
    case 'percent':
      return (
        <Parts>
          <Decimals format={format} name={name} onChange={onChange} />
          <select
            className="input small"
            aria-label={t('look.percent-of', { name })}
            value={format.of}
            onChange={({ target }) => onChange({ ...format, of: target.value === '1' ? 1 : 100 })}
          >
            <option value="100">{t('look.percent-100')}</option>
            <option value="1">{t('look.percent-1')}</option>
          </select>
        </Parts>
      );
    case 'date':
      return (
        <Parts>
          <select
            className="input small"
            aria-label={t('look.date-length', { name })}
            value={format.length}
            onChange={({ target }) =>
              onChange({ ...format, length: DATE_LENGTHS.find((one) => one === target.value) ?? 'medium' })
            }
          >
            {DATE_LENGTHS.map((length) => (
              <option key={length} value={length}>
                {new Intl.DateTimeFormat(t.language, { dateStyle: length }).format(EXAMPLE)}
              </option>
            ))}
          </select>
          <label className="check small-text">
            <input
              type="checkbox"
              checked={format.time}
              onChange={(event) => onChange({ ...format, time: event.target.checked })}
            />
            {t('look.with-time')}
          </label>
        </Parts>
      );
    case 'link':
      return (
        <Parts>
          <input
            className="input small"
            aria-label={t('look.link-text', { name })}
            placeholder={t('look.link-hint')}
            maxLength={100}
            value={format.text}
            onChange={(event) => onChange({ ...format, text: event.target.value })}
          />
        </Parts>
      );
    case 'picture':
      return (
        <Parts>
          <span className="soft small-text">{t('look.picture-about')}</span>
        </Parts>
      );
    case 'email':
      return null;
  }
}

const EXAMPLE = new Date(2024, 2, 1);

const Parts = ({ children }: { readonly children: ReactNode }) => (
  <div className="row tight look-format">{children}</div>
);

type WithDecimals = Extract<ColumnFormat, { readonly kind: 'number' | 'currency' | 'percent' }>;

function Decimals({
  format,
  name,
  onChange,
}: {
  readonly format: WithDecimals;
  readonly name: string;
  readonly onChange: (format: ColumnFormat) => void;
}) {
  const t = useText();
  const { decimals, ...rest } = format;
  return (
    <select
      className="input small"
      aria-label={t('look.decimals-of', { name })}
      value={decimals ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? rest : { ...rest, decimals: Number(target.value) })}
    >
      <option value="">{t('look.decimals-usual')}</option>
      {Array.from({ length: MAX_DECIMALS + 1 }, (_, n) => (
        <option key={t.number(n)} value={n}>
          {t.count('look.decimals', n)}
        </option>
      ))}
    </select>
  );
}

const COMMON = [
  'EUR',
  'USD',
  'GBP',
  'CHF',
  'JPY',
  'CNY',
  'INR',
  'BRL',
  'CAD',
  'AUD',
  'SEK',
  'NOK',
  'DKK',
  'PLN',
  'CZK',
  'MXN',
];

/** A code is one when it has three letters; until then the last one counts. */
function Currency({
  code,
  name,
  onChange,
}: {
  readonly code: string;
  readonly name: string;
  readonly onChange: (code: string) => void;
}) {
  const t = useText();
  const id = useId();
  const [typed, setTyped] = useState(code);
  return (
    <>
      <input
        className="input small look-currency"
        list={id}
        aria-label={t('look.currency-of', { name })}
        aria-invalid={isCurrency(typed) ? undefined : true}
        maxLength={3}
        value={typed}
        onChange={({ target }) => {
          const next = target.value.toUpperCase();
          setTyped(next);
          if (isCurrency(next)) onChange(next);
        }}
        onBlur={() => setTyped(code)}
      />
      <datalist id={id}>
        {COMMON.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}
