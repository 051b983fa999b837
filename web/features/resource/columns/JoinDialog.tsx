// The question which table is joined to a layer, by which columns, and what is taken from it. How many rows match is told before.

import { useEffect, useState } from 'react';
import { get, send } from '../../../api/client.ts';
import type { Failure } from '../../../api/failure.ts';
import type { Attribute, Layer } from '../../../api/types.ts';
import { useLoaded } from '../../../api/use-loaded.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { useBusy } from '../../../lib/use-pending.ts';
import { SelectField } from '../../../ui/Field.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { Empty, WhenLoaded, Wrong } from '../../../ui/States.tsx';

type Fit = {
  readonly rows: number;
  readonly matched: number;
  readonly ambiguous: number;
  readonly unmatched: readonly string[];
  readonly unused: readonly string[];
};

/** A page of the catalogue; who has more finds theirs by the search. */
const MAX_TABLES = 100;

export function JoinDialog({
  layer,
  onClose,
  onDone,
}: {
  readonly layer: Layer;
  readonly onClose: () => void;
  readonly onDone: (joined: Fit) => void;
}) {
  const t = useText();
  const [tables, again] = useLoaded(
    `/api/v2/layers/?filter{subtype}=tabular&page_size=${MAX_TABLES}&sort[]=title&exclude[]=*&include[]=pk&include[]=title`,
  );
  const [table, setTable] = useState<Layer>();
  const [layerKey, setLayerKey] = useState('');
  const [tableKey, setTableKey] = useState('');
  const [columns, setColumns] = useState<ReadonlySet<string>>(new Set());
  const [fit, setFit] = useState<Fit>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const ofLayer = columnsOf(layer);
  const ofTable = table === undefined ? [] : columnsOf(table);
  const taken = ofTable.filter(({ attribute }) => columns.has(attribute));
  const choose = async (pk: string): Promise<void> => {
    setTable(undefined);
    setTableKey('');
    setColumns(new Set());
    if (pk === '') return;
    const reply = await get(`/api/v2/layers/${pk}/`);
    if (!reply.ok) return setFailure(reply.error);
    const { layer: found } = reply.value;
    setFailure(undefined);
    setTable(found);
    // Columns of one name are often meant; whoever means others says so.
    const same = columnsOf(found).find(({ attribute }) => ofLayer.some((one) => one.attribute === attribute));
    if (same !== undefined) {
      setTableKey(same.attribute);
      setLayerKey((known) => (known === '' ? same.attribute : known));
    }
  };
  const wish = { table: Number(table?.pk), layer_key: layerKey, table_key: tableKey };
  const isAsked = table !== undefined && layerKey !== '' && tableKey !== '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: counted again when another key is chosen.
  useEffect(() => {
    setFit(undefined);
    if (!isAsked) return;
    const gone = new AbortController();
    send('POST', `/api/v2/layers/${layer.pk}/joins/preview/`, { body: wish, signal: gone.signal }).then(
      (reply) => {
        setFailure(reply.ok ? undefined : reply.error);
        if (reply.ok) setFit(reply.value);
      },
      () => undefined,
    );
    return () => gone.abort();
  }, [layer.pk, table, layerKey, tableKey]);
  const save = async (): Promise<void> => {
    const body = { ...wish, columns: taken.map(({ attribute }) => attribute) };
    const reply = await during(send('POST', `/api/v2/layers/${layer.pk}/joins/`, { body }));
    if (reply.ok) onDone(reply.value);
    else setFailure(reply.error);
  };
  const select = (label: string, value: string, from: readonly Attribute[], onChoose: (name: string) => void) => (
    <SelectField label={label} required value={value} onChange={(event) => onChoose(event.target.value)}>
      <option value="">{t('sharing.choose')}</option>
      {from.map(({ attribute, attribute_label: name }) => (
        <option key={attribute} value={attribute}>
          {name ?? attribute}
        </option>
      ))}
    </SelectField>
  );
  return (
    <FormDialog
      title={t('joins.add')}
      isBusy={isBusy}
      isReady={isAsked && taken.length > 0 && fit !== undefined && fit.ambiguous === 0}
      onClose={onClose}
      onSave={save}
    >
      <Wrong failure={failure} />
      <WhenLoaded loaded={tables} onRetry={again}>
        {({ layers }) =>
          layers.length === 0 ? (
            <Empty title={t('joins.no-tables')} icon="table" />
          ) : (
            <SelectField label={t('joins.table')} required onChange={(event) => void choose(event.target.value)}>
              <option value="">{t('sharing.choose')}</option>
              {layers.map(({ pk, title }) => (
                <option key={pk} value={pk}>
                  {title}
                </option>
              ))}
            </SelectField>
          )
        }
      </WhenLoaded>
      {table !== undefined && (
        <>
          {select(t('joins.layer-key'), layerKey, ofLayer, setLayerKey)}
          {select(t('joins.table-key'), tableKey, ofTable, setTableKey)}
          <FitNotice fit={fit} />
          <fieldset className="join-columns">
            <legend>{t('joins.columns')}</legend>
            {ofTable
              .filter(({ attribute }) => attribute !== tableKey)
              .map(({ attribute, attribute_label: name }) => (
                <label key={attribute} className="check">
                  <input
                    type="checkbox"
                    checked={columns.has(attribute)}
                    onChange={(event) => {
                      const next = new Set(columns);
                      if (event.target.checked) next.add(attribute);
                      else next.delete(attribute);
                      setColumns(next);
                    }}
                  />
                  {name ?? attribute}
                </label>
              ))}
          </fieldset>
        </>
      )}
    </FormDialog>
  );
}

function FitNotice({ fit }: { readonly fit: Fit | undefined }) {
  const t = useText();
  if (fit === undefined) return null;
  const { rows, matched, ambiguous, unmatched, unused } = fit;
  return (
    <div className={`notice ${matched === 0 || ambiguous > 0 ? 'bad' : matched < rows ? 'warm' : ''}`} role="status">
      <div className="stack tight">
        <p>{t.count('joins.matched', rows, { matched: t.number(matched) })}</p>
        {ambiguous > 0 && <p>{t.count('joins.ambiguous', ambiguous)}</p>}
        {unmatched.length > 0 && <p className="small-text">{t('joins.unmatched', { keys: unmatched.join(', ') })}</p>}
        {unused.length > 0 && <p className="small-text">{t('joins.unused', { keys: unused.join(', ') })}</p>}
      </div>
    </div>
  );
}

function columnsOf({ attribute_set }: Layer): readonly Attribute[] {
  return attribute_set.filter(({ attribute_type: type }) => !type.startsWith('gml:'));
}
