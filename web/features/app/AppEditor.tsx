// Writing an app. A dashboard is made by clicking; whatever else an app holds is written as JSON, with how that will look beside it. A map of the
// catalogue can be taken over.

import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { get } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { WrittenRecord as AppRecord } from '../../api/types.ts';
import { useFresh, useLoaded } from '../../api/use-loaded.ts';
import { appContent } from '../../lib/app-content.ts';
import { useText } from '../../lib/i18n/text.ts';
import { usePlace } from '../../lib/navigation.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { Failed, WhenLoaded, Wrong } from '../../ui/States.tsx';
import { DashboardEditor, NewDashboard } from '../dashboard/DashboardEditor.tsx';
import { EditorHead } from '../editor/EditorHead.tsx';
import { NameFields } from '../editor/NameFields.tsx';
import { useWrittenItem } from '../editor/use-written-item.ts';
import { AppContentView } from './AppContentView.tsx';
import './app.css';

export function AppEditor({ id }: { readonly id: number | undefined }) {
  const [loaded, again] = useFresh(id === undefined ? undefined : `/api/v2/geoapps/${id}/?include[]=data`);
  const isRaw = new URLSearchParams(usePlace().search).has('raw');
  if (id === undefined) return isRaw ? <Editor record={undefined} /> : <NewDashboard />;
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ geoapp }) => <OfRecord key={geoapp.pk} record={geoapp} isRaw={isRaw} />}
    </WhenLoaded>
  );
}

function OfRecord({ record, isRaw }: { readonly record: AppRecord; readonly isRaw: boolean }) {
  const content = appContent(record.data);
  // Whoever may only read it would learn so when all is written.
  if (!record.perms.includes('change_resourcebase')) return <Failed failure={{ kind: 'refused', said: [] }} />;
  if (content.kind === 'dashboard' && !isRaw) return <DashboardEditor record={record} start={content.dashboard} />;
  return <Editor record={record} />;
}

function Editor({ record }: { readonly record: AppRecord | undefined }) {
  const t = useText();
  usePageTitle(record?.title ?? t('dash.new'));
  const [text, setText] = useState(() => JSON.stringify(record?.data ?? {}, null, 2));
  const parsed = useMemo(() => parse(text), [text]);
  const data = parsed.ok ? parsed.value : undefined;
  const { name, setName, save, newer, failure, isBusy, sharing, share } = useWrittenItem('geoapps', record, text, data);
  const seen = useDeferredValue(parsed);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (parsed.ok) void save(parsed.value);
      }}
    >
      <div className="row apart">
        <EditorHead
          heading={record === undefined ? t('dash.new') : t('dash.edit')}
          pk={record?.pk}
          isBusy={isBusy}
          newer={newer}
          isReady={name.title.trim() !== '' && parsed.ok}
        />
      </div>
      <Wrong failure={failure} />
      <div className="app-editor">
        <div className="stack">
          <NameFields name={name} sharing={sharing} share={share} onChange={setName} />
          <TakeMap onTaken={(data) => setText(JSON.stringify(data, null, 2))} />
          <TextField
            label={t('app.data')}
            hint={t('app.data-hint')}
            wrong={parsed.ok ? undefined : t('app.not-json', { reason: parsed.error })}
            className="input code-input"
            rows={18}
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <section className="stack" aria-label={t('app.preview')}>
          <h2>{t('app.preview')}</h2>
          {seen.ok && <AppContentView data={seen.value} title={name.title === '' ? t('dash.new') : name.title} />}
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
  const [maps] = useLoaded('/api/v2/maps/?page_size=100&sort[]=title');
  const [failure, setFailure] = useState<Failure>();
  const turn = useRef(0);
  if (maps.kind !== 'loaded' || maps.value.maps.length === 0) return null;
  const take = async (pk: string): Promise<void> => {
    if (pk === '') return;
    turn.current += 1;
    const asked = turn.current;
    const reply = await get(`/api/v2/maps/${pk}/?include[]=data`);
    // Another map was chosen since.
    if (asked !== turn.current) return;
    setFailure(reply.ok ? undefined : reply.error);
    if (reply.ok) onTaken(reply.value.map.data ?? {});
  };
  return (
    <>
      <SelectField label={t('app.take-map')} value="" onChange={(event) => void take(event.target.value)}>
        <option value="">{t('sharing.choose')}</option>
        {maps.value.maps.map(({ pk, title }) => (
          <option key={pk} value={pk}>
            {title}
          </option>
        ))}
      </SelectField>
      <Wrong failure={failure} />
    </>
  );
}
