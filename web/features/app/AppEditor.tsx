// Writing an app: its name and what it holds, with how that will look beside it. A map of the catalogue can be taken over.

import { useDeferredValue, useMemo, useState } from 'react';
import { get, send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Story as AppRecord, MapRecord, Page } from '../../api/types.ts';
import { forgetLoaded, useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { navigate } from '../../lib/navigation.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Link } from '../../ui/Link.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { AppContentView } from './AppContentView.tsx';
import './app.css';

export function AppEditor({ id }: { readonly id: number | undefined }) {
  const [loaded, again] = useLoaded<{ readonly geoapp: AppRecord }>(
    id === undefined ? undefined : `/api/v2/geoapps/${id}/?include[]=data`,
  );
  if (id === undefined) return <Editor record={undefined} />;
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ geoapp }) => <Editor key={geoapp.pk} record={geoapp} />}
    </WhenLoaded>
  );
}

function Editor({ record }: { readonly record: AppRecord | undefined }) {
  const t = useText();
  usePageTitle(record?.title ?? t('app.new'));
  const [title, setTitle] = useState(record?.title ?? '');
  const [abstract, setAbstract] = useState(record?.abstract ?? '');
  const [text, setText] = useState(() => JSON.stringify(record?.data ?? {}, null, 2));
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const parsed = useMemo(() => parse(text), [text]);
  const seen = useDeferredValue(parsed);
  const save = async (): Promise<void> => {
    if (!parsed.ok) return;
    setBusy(true);
    const body = { title, abstract, data: parsed.value };
    const reply =
      record === undefined
        ? await send<{ readonly geoapp: { readonly pk: string } }>('POST', '/api/v2/geoapps/', {
            body: { ...body, name: `${title} ${Date.now().toString(36)}` },
          })
        : await send<undefined>('PATCH', `/api/v2/geoapps/${record.pk}/`, { body });
    setBusy(false);
    if (!reply.ok) return setFailure(reply.error);
    forgetLoaded();
    say(t('saved'));
    navigate(`/apps/preview/${record?.pk ?? reply.value?.geoapp.pk}`);
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="row apart">
        <h1>{record === undefined ? t('app.new') : t('app.edit')}</h1>
        <div className="row">
          <Link className="button" to={record === undefined ? '/' : `/apps/preview/${record.pk}`}>
            {t('action.cancel')}
          </Link>
          <Button look="primary" icon="save" type="submit" disabled={isBusy || title.trim() === '' || !parsed.ok}>
            {isBusy ? t('action.saving') : t('action.save')}
          </Button>
        </div>
      </div>
      <Wrong failure={failure} />
      <div className="app-editor">
        <div className="stack">
          <Field label={t('meta.title')}>
            {(wired) => (
              <input
                {...wired}
                className="input"
                required
                maxLength={255}
                value={title}
                onChange={(event) => setTitle(event.target.value)}
              />
            )}
          </Field>
          <Field label={t('meta.abstract')}>
            {(wired) => (
              <input
                {...wired}
                className="input"
                maxLength={2000}
                value={abstract}
                onChange={(event) => setAbstract(event.target.value)}
              />
            )}
          </Field>
          <TakeMap onTaken={(data) => setText(JSON.stringify(data, null, 2))} />
          <Field
            label={t('app.data')}
            hint={t('app.data-hint')}
            wrong={parsed.ok ? undefined : t('app.not-json', { reason: parsed.error })}
          >
            {(wired) => (
              <textarea
                {...wired}
                className="input code-input"
                rows={18}
                spellCheck={false}
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
        </div>
        <section className="stack" aria-label={t('app.preview')}>
          <h2>{t('app.preview')}</h2>
          {seen.ok && <AppContentView data={seen.value} title={title === '' ? t('app.new') : title} />}
        </section>
      </div>
    </form>
  );
}

function parse(text: string): Result<unknown, string> {
  try {
    return ok(text.trim() === '' ? {} : JSON.parse(text));
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}

/** What a map of the catalogue shows, as the content of the app. */
function TakeMap({ onTaken }: { readonly onTaken: (data: unknown) => void }) {
  const t = useText();
  const [maps] = useLoaded<Page<'maps', MapRecord>>('/api/v2/maps/?page_size=100&sort[]=title');
  const [failure, setFailure] = useState<Failure>();
  if (maps.kind !== 'loaded' || maps.value.maps.length === 0) return null;
  const take = async (pk: string): Promise<void> => {
    if (pk === '') return;
    const reply = await get<{ readonly map: MapRecord }>(`/api/v2/maps/${pk}/?include[]=data`);
    setFailure(reply.ok ? undefined : reply.error);
    if (reply.ok) onTaken(reply.value.map.data ?? {});
  };
  return (
    <>
      <Field label={t('app.take-map')}>
        {(wired) => (
          <select {...wired} className="input" value="" onChange={(event) => void take(event.target.value)}>
            <option value="">{t('sharing.choose')}</option>
            {maps.value.maps.map(({ pk, title }) => (
              <option key={pk} value={pk}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Wrong failure={failure} />
    </>
  );
}
