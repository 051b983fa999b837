// Describing an item: the form for what the catalogue says of it.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import { type Failure, saidOf } from '../../api/failure.ts';
import { ifMatch, isNewer } from '../../api/if-match.ts';
import type { Resource } from '../../api/types.ts';
import { forgetLoaded, useLoaded } from '../../api/use-loaded.ts';
import { en } from '../../lib/i18n/en.ts';
import { useText } from '../../lib/i18n/text.ts';
import { fieldMessage } from '../../lib/server-message.ts';
import { useSession } from '../../lib/session.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { Field, InputField, SelectField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { ConflictDialog } from '../editor/ConflictDialog.tsx';

const entriesOf = (prefix: string): readonly string[] =>
  Object.keys(en).flatMap((key) => (key.startsWith(`${prefix}.`) ? [key.slice(prefix.length + 1)] : []));
const CATEGORIES = entriesOf('category');
const LICENSES = entriesOf('license');
const DATE_TYPES = ['creation', 'publication', 'revision'] as const;
const FREQUENCIES = [
  'continual',
  'daily',
  'weekly',
  'fortnightly',
  'monthly',
  'quarterly',
  'biannually',
  'annually',
  'asNeeded',
  'irregular',
  'notPlanned',
  'unknown',
] as const;
export function MetadataDialog({
  item: given,
  onClose,
  onSaved,
}: {
  readonly item: Resource;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const t = useText();
  const { user } = useSession();
  // What is known of it when the form opens: a newer answer behind it must not make a change of what nobody touched.
  const [item] = useState(given);
  const [isChanged, setChanged] = useState(false);
  const unsaved = useUnsaved(isChanged);
  const close = (): void => unsaved.leave(onClose);
  const [regions] = useLoaded('/api/v2/regions/?page_size=400');
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const wrong = (name: string): string | undefined => fieldMessage(t, saidOf(failure, name));
  const text = (name: keyof Resource & string, label: string, rows = 0, max = 2000) => (
    <Field label={label} wrong={wrong(name)}>
      {(wired) =>
        rows === 0 ? (
          <input {...wired} className="input" name={name} maxLength={max} defaultValue={String(item[name] ?? '')} />
        ) : (
          <textarea
            {...wired}
            className="input"
            name={name}
            rows={rows}
            maxLength={max}
            defaultValue={String(item[name] ?? '')}
          />
        )
      }
    </Field>
  );
  const day = (name: 'date' | 'temporal_extent_start' | 'temporal_extent_end', label: string) => (
    <InputField
      label={label}
      wrong={wrong(name)}
      type="date"
      name={name}
      defaultValue={item[name]?.slice(0, 10) ?? ''}
    />
  );
  const [newer, setNewer] = useState<Record<string, unknown>>();
  const save = async (body: Record<string, unknown>, lastUpdated?: string): Promise<void> => {
    setBusy(true);
    const reply = await send('PATCH', `/api/v2/resources/${item.pk}/`, { body, headers: ifMatch(lastUpdated) });
    setBusy(false);
    if (!reply.ok) return isNewer(reply.error) ? setNewer(body) : setFailure(reply.error);
    forgetLoaded();
    say(t('saved'));
    onSaved();
  };
  return (
    <FormDialog
      title={t('resource.describe')}
      wide
      onClose={close}
      className="metadata-form"
      isBusy={isBusy}
      onChange={(form) => setChanged(Object.keys(changesOf(form, item)).length > 0)}
      onSave={(form) => save(changesOf(form, item), item.last_updated)}
    >
      {newer !== undefined && (
        <ConflictDialog
          id={Number(item.pk)}
          since={item.last_updated}
          onOverwrite={() => {
            setNewer(undefined);
            void save(newer);
          }}
          onReload={() => {
            forgetLoaded();
            unsaved.release();
            onSaved();
          }}
          onSaveAsNew={undefined}
          onClose={() => setNewer(undefined)}
        />
      )}
      {failure !== undefined && (
        <div className="whole-row">
          <Wrong failure={failure} />
        </div>
      )}
      <div className="whole-row">
        <InputField
          label={t('meta.title')}
          wrong={wrong('title')}
          name="title"
          required
          maxLength={255}
          defaultValue={item.title}
        />
      </div>
      <div className="whole-row">{text('abstract', t('meta.abstract'), 5)}</div>
      <InputField
        label={t('meta.keywords')}
        hint={t('meta.keywords-hint')}
        wrong={wrong('keywords')}
        name="keywords"
        defaultValue={item.keywords.map(({ name }) => name).join(', ')}
      />
      <SelectField
        label={t('meta.category')}
        wrong={wrong('category')}
        name="category"
        defaultValue={item.category?.identifier ?? ''}
      >
        <option value="">{t('meta.none')}</option>
        {CATEGORIES.map((name) => (
          <option key={name} value={name}>
            {t.entry('category', name)}
          </option>
        ))}
      </SelectField>
      <Field label={t('meta.regions')} hint={t('meta.regions-hint')} wrong={wrong('regions')}>
        {(wired) => (
          <>
            <input
              {...wired}
              className="input"
              name="regions"
              list="region-codes"
              defaultValue={item.regions.map(({ code }) => code).join(', ')}
            />
            <datalist id="region-codes">
              {regions.kind === 'loaded' &&
                regions.value.regions.map(({ code, name }) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
            </datalist>
          </>
        )}
      </Field>
      <SelectField
        label={t('meta.license')}
        wrong={wrong('license')}
        name="license"
        defaultValue={item.license?.identifier ?? ''}
      >
        <option value="">{t('meta.none')}</option>
        {LICENSES.map((name) => (
          <option key={name} value={name}>
            {t.entry('license', name)}
          </option>
        ))}
      </SelectField>
      {day('date', t('meta.date'))}
      <SelectField
        label={t('meta.date-type')}
        wrong={wrong('date_type')}
        name="date_type"
        defaultValue={item.date_type}
      >
        {DATE_TYPES.map((name) => (
          <option key={name} value={name}>
            {t(`date-type.${name}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('provenance.frequency')}
        wrong={wrong('maintenance_frequency')}
        name="maintenance_frequency"
        defaultValue={item.maintenance_frequency ?? ''}
      >
        <option value="">{t('meta.none')}</option>
        {FREQUENCIES.map((name) => (
          <option key={name} value={name}>
            {t(`frequency.${name}`)}
          </option>
        ))}
      </SelectField>
      {day('temporal_extent_start', t('meta.period-start'))}
      {day('temporal_extent_end', t('meta.period-end'))}
      {text('attribution', t('meta.attribution'))}
      {text('edition', t('meta.edition'), 0, 255)}
      {text('doi', t('meta.doi'), 0, 255)}
      {text('language', t('meta.language-code'), 0, 3)}
      <div className="whole-row">{text('purpose', t('meta.purpose'), 2, 500)}</div>
      <div className="whole-row">{text('supplemental_information', t('meta.supplemental'), 2)}</div>
      <div className="whole-row">{text('data_quality_statement', t('meta.quality'), 2)}</div>
      <div className="whole-row row">
        {item.perms.includes('publish_resourcebase') && (
          <label className="check">
            <input type="checkbox" name="is_published" defaultChecked={item.is_published} />
            {t('meta.published')}
          </label>
        )}
        {user?.is_superuser === true && (
          <label className="check">
            <input type="checkbox" name="featured" defaultChecked={item.featured} />
            {t('featured')}
          </label>
        )}
      </div>
    </FormDialog>
  );
}

const NULLABLE = [
  'attribution',
  'doi',
  'edition',
  'purpose',
  'data_quality_statement',
  'maintenance_frequency',
] as const;

/** Only what is another than before: who may not change something is not refused for what stayed. */
function changesOf(form: FormData, item: Resource): Record<string, unknown> {
  const given = (name: string): string => String(form.get(name) ?? '').trim();
  const list = (name: string): string[] =>
    given(name)
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '');
  const same = (a: readonly string[], b: readonly string[]): boolean =>
    a.length === b.length && a.every((one, i) => one === b[i]);
  const changes: Record<string, unknown> = {};
  for (const name of ['title', 'abstract', 'language', 'date_type', 'supplemental_information'] as const) {
    if (given(name) !== item[name]) changes[name] = given(name);
  }
  for (const name of NULLABLE)
    if (given(name) !== (item[name] ?? '')) changes[name] = given(name) === '' ? null : given(name);
  for (const name of ['category', 'license'] as const) {
    if (given(name) !== (item[name]?.identifier ?? ''))
      changes[name] = given(name) === '' ? null : { identifier: given(name) };
  }
  if (
    !same(
      list('keywords'),
      item.keywords.map(({ name }) => name),
    )
  )
    changes['keywords'] = list('keywords');
  if (
    !same(
      list('regions'),
      item.regions.map(({ code }) => code),
    )
  )
    changes['regions'] = list('regions').map((code) => ({ code: code.toUpperCase() }));
  for (const name of ['date', 'temporal_extent_start', 'temporal_extent_end'] as const) {
    const before = item[name]?.slice(0, 10) ?? '';
    if (given(name) !== before) changes[name] = given(name) === '' ? null : `${given(name)}T00:00:00Z`;
  }
  for (const name of ['is_published', 'featured'] as const) {
    const isAsked =
      name === 'featured'
        ? document.querySelector('[name=featured]') !== null
        : item.perms.includes('publish_resourcebase');
    if (isAsked && form.has(name) !== item[name]) changes[name] = form.has(name);
  }
  return changes;
}
