// Keeping a style that was edited: in place of the one it was made from, or beside it under a name of its own.

import { useEffect, useState } from 'react';
import { get } from '../../../api/client.ts';
import type { Failure } from '../../../api/failure.ts';
import type { Layer } from '../../../api/types.ts';
import { forgetLoaded } from '../../../api/use-loaded.ts';
import { useText } from '../../../lib/i18n/text.ts';
import type { StyleLayer } from '../../../map/drawn.ts';
import { saveStyle, styleTag } from '../../../map/layer-source.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Wrong } from '../../../ui/States.tsx';
import { say } from '../../../ui/toast.tsx';

export function SaveStyle({
  layer,
  name,
  layers,
  onSaved,
}: {
  readonly layer: Layer;
  /** Of the style that was edited; empty: the layer has none yet. */
  readonly name: string;
  /** Undefined: there is nothing to be saved. */
  readonly layers: readonly StyleLayer[] | undefined;
  readonly onSaved: (layer: Layer, style: string | undefined) => void;
}) {
  const t = useText();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const [title, setTitle] = useState<string>();
  const [tag, setTag] = useState<string>();
  const [isNewer, setNewer] = useState(false);
  const place = name === '' ? 'default' : name;
  useEffect(() => {
    const gone = new AbortController();
    styleTag(layer.pk, place, gone.signal).then(setTag, () => undefined);
    return () => gone.abort();
  }, [layer, place]);
  if (!layer.perms.includes('change_layer_style')) return <p className="soft small-text">{t('style.not-yours')}</p>;
  const save = async (as: string, asNew: boolean, known = tag): Promise<void> => {
    if (layers === undefined) return;
    setBusy(true);
    const reply = await saveStyle(layer.pk, as, layers, asNew ? as : undefined, asNew ? undefined : known);
    if (!reply.ok && reply.error.kind === 'invalid' && reply.error.status === 412) {
      setBusy(false);
      setNewer(true);
      return;
    }
    setNewer(false);
    forgetLoaded();
    const now = reply.ok ? await get(`/api/v2/layers/${layer.pk}/`) : reply;
    setBusy(false);
    setFailure(now.ok ? undefined : now.error);
    if (!now.ok) return;
    say(t('style.saved'));
    setTitle(undefined);
    const next = now.value.layer;
    // The portal may have found another name, where this one was taken.
    const added = next.styles.find(({ pk }) => !layer.styles.some((one) => one.pk === pk));
    const saved = asNew ? added?.name : name;
    onSaved(next, saved === next.default_style?.name || saved === '' ? undefined : saved);
  };
  return (
    <div className="stack tight">
      <Wrong failure={failure} />
      {isNewer && (
        <Dialog
          title={t('conflict.title')}
          onClose={() => setNewer(false)}
          footer={
            <>
              <Button onClick={() => setNewer(false)}>{t('action.cancel')}</Button>
              <Button
                onClick={() => {
                  setNewer(false);
                  setTitle('');
                }}
              >
                {t('conflict.as-new')}
              </Button>
              <Button look="danger" disabled={isBusy} onClick={() => void save(place, false, '*')}>
                {t('conflict.overwrite')}
              </Button>
            </>
          }
        >
          <div className="stack">
            <p>{t('conflict.text-unknown')}</p>
            <p className="soft">{t('conflict.hint')}</p>
          </div>
        </Dialog>
      )}
      {title === undefined ? (
        <div className="row tight">
          <Button
            look="primary"
            icon="save"
            disabled={isBusy || layers === undefined}
            onClick={() => void save(place, false)}
          >
            {isBusy ? t('action.saving') : t('style.save')}
          </Button>
          <Button disabled={isBusy || layers === undefined} onClick={() => setTitle('')}>
            {t('style.save-as')}
          </Button>
        </div>
      ) : (
        <form
          className="stack tight"
          onSubmit={(event) => {
            event.preventDefault();
            void save(title.trim(), true);
          }}
        >
          <Field label={t('style.name')}>
            {(wired) => (
              <input
                {...wired}
                className="input"
                required
                maxLength={100}
                pattern=".*\D.*"
                title={t('style.name-hint')}
                // biome-ignore lint/a11y/noAutofocus: the form was just asked for.
                autoFocus
                value={title}
                onChange={(event) => setTitle(event.target.value)}
              />
            )}
          </Field>
          <div className="row tight">
            <Button look="primary" icon="save" type="submit" disabled={isBusy || title.trim() === ''}>
              {isBusy ? t('action.saving') : t('action.save')}
            </Button>
            <Button onClick={() => setTitle(undefined)}>{t('action.cancel')}</Button>
          </div>
        </form>
      )}
    </div>
  );
}
