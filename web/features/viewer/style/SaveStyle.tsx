// Keeping a style that was edited: in place of the one it was made from, or beside it under a name of its own.

import { useState } from 'react';
import { get } from '../../../api/client.ts';
import type { Failure } from '../../../api/failure.ts';
import type { Layer } from '../../../api/types.ts';
import { forgetLoaded } from '../../../api/use-loaded.ts';
import { useText } from '../../../lib/i18n/text.ts';
import type { StyleLayer } from '../../../map/drawn.ts';
import { saveStyle } from '../../../map/layer-source.ts';
import { Button } from '../../../ui/Button.tsx';
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
  if (!layer.perms.includes('change_layer_style')) return <p className="soft small-text">{t('style.not-yours')}</p>;
  const save = async (as: string, asNew: boolean): Promise<void> => {
    if (layers === undefined) return;
    setBusy(true);
    const reply = await saveStyle(layer.pk, as, layers, asNew ? as : undefined);
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
      {title === undefined ? (
        <div className="row tight">
          <Button
            look="primary"
            icon="save"
            disabled={isBusy || layers === undefined}
            onClick={() => void save(name === '' ? 'default' : name, false)}
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
