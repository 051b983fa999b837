// For who may change a layer: the filter that it has here becomes the one that the layer's page and new maps begin with.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Layer } from '../../api/types.ts';
import { forgetLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { asked, filterCql, filterText, parseLayerFilter } from '../../lib/layer-filter.ts';
import { isSameJson } from '../../lib/same-json.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { attributeNames } from '../resource/Legend.tsx';
import type { ViewerLayer } from './viewer-state.ts';

export function OwnFilter({
  one: { record, filter },
  onSaved,
}: {
  readonly one: ViewerLayer;
  readonly onSaved: (layer: Layer) => void;
}) {
  const t = useText();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const kept = parseLayerFilter(record.default_filter);
  const here = filterCql(asked(filter));
  const save = async (cql: Layer['default_filter'] | undefined): Promise<void> => {
    const body = { filter: cql ?? null };
    const reply = await during(send('PUT', `/api/v2/layers/${record.pk}/presentation/`, { body }));
    setFailure(reply.ok ? undefined : reply.error);
    if (!reply.ok) return;
    forgetLoaded();
    onSaved({ ...record, default_filter: cql ?? null });
    say(t('filter.own-saved'));
  };
  return (
    <section className="stack" aria-label={t('filter.own')}>
      <h3>{t('filter.own')}</h3>
      <p className="soft small-text">{t('filter.own-about')}</p>
      {kept !== undefined && <p className="small-text">{filterText(t, kept, attributeNames(record))}</p>}
      <div className="row tight">
        {here !== undefined && !isSameJson(here, record.default_filter) && (
          <Button small icon="save" disabled={isBusy} onClick={() => void save(here as Layer['default_filter'])}>
            {t('filter.own-save')}
          </Button>
        )}
        {kept !== undefined && (
          <Button small disabled={isBusy} onClick={() => void save(undefined)}>
            {t('filter.own-remove')}
          </Button>
        )}
      </div>
      <Wrong failure={failure} />
    </section>
  );
}
