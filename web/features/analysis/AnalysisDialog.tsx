// A layer made of this one: which process, its questions, what becomes of a sample, and then the job, which is shown as an import is.

import { useId, useMemo, useState } from 'react';
import { get, send, sendFor } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Layer } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { addressColumns } from '../../lib/address-columns.ts';
import { extentOf } from '../../lib/bbox.ts';
import { isListOf, isObject, isRecordOf } from '../../lib/guard.ts';
import { useText } from '../../lib/i18n/text.ts';
import { type FormValues, formInputs, isComplete, sentInputs, withoutChoices } from '../../lib/process-form.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { LazyMap } from '../../map/LazyMap.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { ImportCard } from '../upload/ImportCard.tsx';
import '../upload/upload.css';
import { ProcessFields } from './ProcessFields.tsx';

export function AnalysisDialog({
  layer,
  onMade,
  onClose,
}: {
  readonly layer: Layer;
  /** Shows the layer that was made where the dialog was asked for. */
  readonly onMade?: (made: Layer) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const [list, again] = useLoaded('/ogc/processes');
  const isPlain = layer.subtype === 'tabular';
  const isRaster = layer.storeType === 'coverageStore';
  const [process, setProcess] = useState(isPlain ? 'geocode' : '');
  const [job, setJob] = useState<number>();
  return (
    <Dialog title={t('process.title')} wide onClose={onClose}>
      {job !== undefined ? (
        <ImportCard
          id={job}
          isNew
          onForget={() => void forget(job).then(onClose)}
          onDone={(made) => {
            if (made !== null && onMade !== undefined)
              void get(`/api/v2/layers/${made}/`).then((reply) => {
                if (reply.ok) onMade(reply.value.layer);
              });
          }}
        />
      ) : (
        <WhenLoaded loaded={list} onRetry={again}>
          {({ processes }) => (
            <div className="stack">
              <Field label={t('process.which')}>
                {(wired) => (
                  <select
                    {...wired}
                    className="input"
                    value={process}
                    onChange={(event) => setProcess(event.target.value)}
                  >
                    <option value="">{t('sharing.choose')}</option>
                    {processes
                      .filter(({ 'x-survest': takes }) =>
                        isRaster ? takes.raster : takes.layer && (!isPlain || takes.table),
                      )
                      .map(({ id, title }) => (
                        <option key={id} value={id}>
                          {t.find(`process.name.${id}`) ?? title}
                        </option>
                      ))}
                  </select>
                )}
              </Field>
              {process !== '' && <ProcessForm key={process} process={process} layer={layer} onBegun={setJob} />}
            </div>
          )}
        </WhenLoaded>
      )}
    </Dialog>
  );
}

/** The input that the layer is, of a process that begins with it. */
function givenAs({ pk, storeType, subtype }: Layer, process: string): FormValues {
  if (storeType === 'coverageStore') return { raster: pk };
  return subtype === 'tabular' && process === 'join-by-key' ? { other: pk } : { layer: pk, layers: [pk] };
}

async function forget(upload: number): Promise<void> {
  await send('DELETE', `/upload/delete/${upload}`);
}

function ProcessForm({
  process,
  layer,
  onBegun,
}: {
  readonly process: string;
  readonly layer: Layer;
  readonly onBegun: (upload: number) => void;
}) {
  const t = useText();
  const id = useId();
  const [loaded, again] = useLoaded(`/ogc/processes/${process}`);
  const [values, setValues] = useState<FormValues>({
    ...givenAs(layer, process),
    ...(process === 'geocode' ? addressColumns(layer.attribute_set.map(({ attribute }) => attribute)) : {}),
  });
  const [title, setTitle] = useState('');
  const [sample, setSample] = useState<Sample>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const questions = loaded.kind === 'loaded' ? formInputs(loaded.value.inputs) : [];
  const body = { inputs: sentInputs(questions, values), ...(title.trim() === '' ? {} : { title: title.trim() }) };
  const isReady = !isBusy && loaded.kind === 'loaded' && isComplete(questions, values);
  const preview = async (): Promise<void> => {
    const reply = await during(sendFor(isSample, 'POST', `/ogc/processes/${process}/preview`, { body }));
    setFailure(reply.ok ? undefined : reply.error);
    setSample(reply.ok ? reply.value : undefined);
  };
  const begin = async (): Promise<void> => {
    const reply = await during(send('POST', `/ogc/processes/${process}/execution`, { body }));
    if (reply.ok) onBegun(reply.value.upload);
    else setFailure(reply.error);
  };
  return (
    <form
      id={id}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void begin();
      }}
    >
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ description }) => (
          <>
            <p className="soft">{t.find(`process.about.${process}`) ?? description}</p>
            <ProcessFields
              inputs={questions}
              values={values}
              onChange={(name, value) => {
                setSample(undefined);
                setValues((now) => ({ ...now, ...withoutChoices(questions, name), [name]: value }));
              }}
            />
          </>
        )}
      </WhenLoaded>
      <Field label={t('meta.title')} hint={t('process.private')}>
        {(wired) => (
          <input
            {...wired}
            className="input"
            maxLength={255}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
          />
        )}
      </Field>
      <Wrong failure={failure} />
      {sample !== undefined && <SampleMap sample={sample} layer={layer} />}
      <div className="row">
        <Button disabled={!isReady} onClick={() => void preview()}>
          {t('process.preview')}
        </Button>
        <Button look="primary" type="submit" disabled={!isReady}>
          {t('process.run')}
        </Button>
      </div>
    </form>
  );
}

type Sample = { readonly features: readonly object[] };
const isSample = isRecordOf<Sample>({ features: isListOf(isObject) });

function SampleMap({ sample, layer }: { readonly sample: Sample; readonly layer: Layer }) {
  const t = useText();
  const drawn = useMemo(
    () => [
      {
        kind: 'shapes' as const,
        id: 'sample',
        look: 'chosen' as const,
        data: { type: 'FeatureCollection', features: sample.features } as GeoJSON.FeatureCollection,
      },
    ],
    [sample],
  );
  return (
    <section className="stack tight" aria-label={t('process.sample')}>
      <p role="status" className="small-text">
        {t.count('process.sampled', sample.features.length)}
      </p>
      <div className="resource-map">
        <LazyMap label={t('process.sample')} drawn={drawn} start={extentOf(layer.ll_bbox_polygon)} />
      </div>
      <FoundAddresses features={sample.features} />
    </section>
  );
}

/** Of a search for places: what was asked, and what was found. */
function FoundAddresses({ features }: Sample) {
  const t = useText();
  const found = features.flatMap((feature) => {
    const properties = 'properties' in feature && isObject(feature.properties) ? feature.properties : {};
    const { geocode_address: asked, geocode_match: match, geocode_state: state } = properties;
    return typeof asked === 'string' && typeof state === 'string'
      ? [{ asked, state, match: typeof match === 'string' ? match : undefined }]
      : [];
  });
  if (found.length === 0) return null;
  return (
    <ul className="small-text">
      {found.map(({ asked, match, state }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a sample have no names.
        <li key={i}>
          {asked} → {match ?? t('geocode.nothing')} <span className="badge">{t.entry('geocode-state', state)}</span>
        </li>
      ))}
    </ul>
  );
}
