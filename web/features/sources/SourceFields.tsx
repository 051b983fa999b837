// The questions of what a layer follows: the kind of address, the address, by which column rows are found again, and how often it is asked.

import { useText } from '../../lib/i18n/text.ts';
import { ColumnOptions } from '../../ui/ColumnOptions.tsx';
import { Field, InputField, SelectField } from '../../ui/Field.tsx';

const SOURCE_KINDS = ['file', 'features', 'wfs'] as const;
const MINUTES = [15, 60, 360, 1440, 10_080] as const;
const MAX_ADDRESS = 2000;
const MAX_NAME = 255;

export type SourceWish = {
  readonly kind: (typeof SOURCE_KINDS)[number];
  readonly address: string;
  readonly typeName: string;
  readonly key: string;
  readonly minutes: number;
};

export const NO_SOURCE: SourceWish = { kind: 'file', address: '', typeName: '', key: '', minutes: 1440 };

/** As the portal takes it. */
export function sourceBody({ kind, address, typeName, key, minutes }: SourceWish) {
  return {
    kind,
    address: address.trim(),
    type_name: kind === 'wfs' ? typeName.trim() : null,
    key: key.trim() === '' ? null : key.trim(),
    every_minutes: minutes,
  };
}

export function SourceFields({
  source,
  columns,
  onChange,
}: {
  readonly source: SourceWish;
  /** Of the layer that is to follow; undefined: it is made of the address. */
  readonly columns: readonly { readonly attribute: string; readonly attribute_label: string | null }[] | undefined;
  readonly onChange: (source: SourceWish) => void;
}) {
  const t = useText();
  const { kind, address, typeName, key, minutes } = source;
  // One that was chosen by the API is an answer, too.
  const choices = MINUTES.some((one) => one === minutes) ? MINUTES : [...MINUTES, minutes];
  return (
    <>
      <SelectField
        label={t('source.kind')}
        value={kind}
        onChange={(event) =>
          onChange({ ...source, kind: SOURCE_KINDS.find((one) => one === event.target.value) ?? 'file' })
        }
      >
        {SOURCE_KINDS.map((one) => (
          <option key={one} value={one}>
            {t(`source.kind.${one}`)}
          </option>
        ))}
      </SelectField>
      <InputField
        label={t('source.address')}
        hint={t('source.address-hint')}
        type="url"
        required
        maxLength={MAX_ADDRESS}
        value={address}
        onChange={(event) => onChange({ ...source, address: event.target.value })}
      />
      {kind === 'wfs' && (
        <InputField
          label={t('source.type-name')}
          required
          value={typeName}
          onChange={(event) => onChange({ ...source, typeName: event.target.value })}
        />
      )}
      <Field label={t('source.key')} hint={t('source.key-hint')}>
        {(wired) =>
          columns === undefined ? (
            <input
              {...wired}
              className="input"
              maxLength={MAX_NAME}
              value={key}
              onChange={(event) => onChange({ ...source, key: event.target.value })}
            />
          ) : (
            <select
              {...wired}
              className="input"
              value={key}
              onChange={(event) => onChange({ ...source, key: event.target.value })}
            >
              <option value="">{t('source.no-key')}</option>
              <ColumnOptions columns={columns} />
            </select>
          )
        }
      </Field>
      <SelectField
        label={t('source.every')}
        value={minutes}
        onChange={(event) => onChange({ ...source, minutes: Number(event.target.value) })}
      >
        {choices.map((one) => (
          <option key={one} value={one}>
            {t.find(`source.every.${one}`) ?? t.count('source.minutes', one)}
          </option>
        ))}
      </SelectField>
    </>
  );
}
