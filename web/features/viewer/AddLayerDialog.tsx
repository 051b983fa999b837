// Layers of the catalogue, to be put on the map.

import { useDeferredValue, useState } from 'react';
import type { Layer } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { InputField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Empty, WhenLoaded } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { Thumbnail } from '../catalogue/Thumbnail.tsx';
import '../catalogue/catalogue.css';

export function AddLayerDialog({
  present,
  onAdd,
  onClose,
}: {
  readonly present: readonly string[];
  readonly onAdd: (layer: Layer) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const [q, setQ] = useState('');
  const [page, setPage] = useState(1);
  const asked = useDeferredValue(q.trim());
  const search = asked === '' ? '' : `&search=${encodeURIComponent(asked)}`;
  const [found, again] = useLoaded(
    `/api/v2/layers/?filter{-subtype}=tabular&page=${page}&page_size=10&sort[]=title${search}`,
  );
  return (
    <Dialog
      title={t('viewer.add-layer')}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('action.done')}</Button>}
    >
      <div className="stack">
        <InputField
          label={t('viewer.find-layer')}
          type="search"
          value={q}
          onChange={(event) => {
            setQ(event.target.value);
            setPage(1);
          }}
        />
        <WhenLoaded loaded={found} onRetry={again}>
          {({ layers, total, page_size }) =>
            layers.length === 0 ? (
              <Empty title={t('catalogue.none-found')} icon="layer" />
            ) : (
              <>
                <ul className="rows">
                  {layers.map((layer) => (
                    <li key={layer.pk} className="row-item">
                      <Thumbnail item={layer} />
                      <div className="grow">
                        <strong>{layer.title}</strong>
                        <p className="card-about">{layer.raw_abstract}</p>
                      </div>
                      {present.includes(layer.pk) && (
                        <span className="badge good">
                          <Icon name="check" />
                          {t('viewer.on-map')}
                        </span>
                      )}
                      <Button
                        small
                        icon="plus"
                        aria-label={t('viewer.add-named', { title: layer.title })}
                        onClick={() => {
                          onAdd(layer);
                          say(t('viewer.added', { title: layer.title }));
                        }}
                      >
                        {t('action.add')}
                      </Button>
                    </li>
                  ))}
                </ul>
                {total > page_size && (
                  <div className="row apart">
                    <Button small disabled={page === 1} onClick={() => setPage(page - 1)}>
                      {t('pager.previous')}
                    </Button>
                    <Button small disabled={page * page_size >= total} onClick={() => setPage(page + 1)}>
                      {t('pager.next')}
                    </Button>
                  </div>
                )}
              </>
            )
          }
        </WhenLoaded>
      </div>
    </Dialog>
  );
}
