// What stands beside the text of a section: a picture, a video, a map, a layer or a chart of the portal, or a page of another site.

import { useState } from 'react';
import { useLoaded } from '../../api/use-loaded.ts';
import { newWidget } from '../../lib/dashboard/dashboard.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { Media } from '../../lib/story.ts';
import { useDefaults } from '../../lib/use-defaults.ts';
import type { View } from '../../lib/view-hash.ts';
import { Button } from '../../ui/Button.tsx';
import { InputField, SelectField } from '../../ui/Field.tsx';
import { say } from '../../ui/toast.tsx';
import { WidgetDialog } from '../dashboard/WidgetDialog.tsx';

const KINDS = ['none', 'image', 'video', 'map', 'layer', 'widget', 'embed'] as const;
/** Those that are chosen from a list. */
type Listed = 'image' | 'video' | 'map' | 'layer';
const isListed = (kind: Media['kind']): kind is Listed =>
  kind === 'image' || kind === 'video' || kind === 'map' || kind === 'layer';

export function MediaEditor({
  media,
  onChange,
  viewOf,
}: {
  readonly media: Media;
  readonly onChange: (media: Media) => void;
  /** Where the map of the preview is; undefined: not known yet. */
  readonly viewOf: () => View | undefined;
}) {
  const t = useText();
  const [images] = useLoaded('/api/v2/documents/?filter{doc_type}=image&page_size=100&sort[]=title');
  const [videos] = useLoaded('/api/v2/documents/?filter{doc_type}=video&page_size=100&sort[]=title');
  const defaults = useDefaults();
  const [isEdited, setEdited] = useState(false);
  const [maps] = useLoaded('/api/v2/maps/?page_size=100&sort[]=title');
  const [layers] = useLoaded('/api/v2/layers/?page_size=100&sort[]=title');
  const choices = {
    image: images.kind === 'loaded' ? images.value.documents : [],
    video: videos.kind === 'loaded' ? videos.value.documents : [],
    map: maps.kind === 'loaded' ? maps.value.maps : [],
    layer: layers.kind === 'loaded' ? layers.value.layers : [],
  } as const;
  const make = (kind: Listed, id: number): Media => {
    switch (kind) {
      case 'image':
      case 'video':
        return { kind, document: id, alt: choices[kind].find(({ pk }) => Number(pk) === id)?.title ?? '' };
      case 'map':
        return { kind, map: id, view: undefined };
      case 'layer':
        return { kind, layer: id, view: undefined };
    }
  };
  const begin = (kind: Media['kind']): void => {
    if (isListed(kind)) onChange(make(kind, Number(choices[kind][0]?.pk ?? 0)));
    else if (kind === 'widget') setEdited(true);
    else onChange(kind === 'embed' ? { kind, url: '', alt: '' } : { kind: 'none' });
  };
  const chosen =
    media.kind === 'image' || media.kind === 'video'
      ? media.document
      : media.kind === 'map'
        ? media.map
        : media.kind === 'layer'
          ? media.layer
          : 0;
  const listed = isListed(media.kind) ? media.kind : undefined;
  const hasView = media.kind === 'map' || media.kind === 'layer';
  const keepView = (): void => {
    const view = viewOf();
    if (hasView && view !== undefined) {
      const { center, zoom } = view;
      onChange({ ...media, view: { center, zoom } });
      say(t('story.view-kept'));
    }
  };
  return (
    <div className="upload-fields">
      <SelectField
        label={t('story.media')}
        value={media.kind}
        onChange={(event) => begin(KINDS.find((one) => one === event.target.value) ?? 'none')}
      >
        {KINDS.map((kind) => (
          <option key={kind} value={kind} disabled={isListed(kind) && choices[kind].length === 0}>
            {t(`media.${kind}`)}
          </option>
        ))}
      </SelectField>
      {listed !== undefined && (
        <SelectField
          label={t(`media.${listed}`)}
          value={chosen}
          onChange={(event) => onChange(make(listed, Number(event.target.value)))}
        >
          {choices[listed].map(({ pk, title }) => (
            <option key={pk} value={pk}>
              {title}
            </option>
          ))}
        </SelectField>
      )}
      {media.kind === 'embed' && (
        <InputField
          label={t('story.embed-url')}
          hint={
            defaults === undefined || defaults.embed_hosts.length > 0
              ? t('story.embed-hosts', { hosts: (defaults?.embed_hosts ?? []).join(', ') })
              : t('story.embed-none')
          }
          type="url"
          maxLength={2000}
          value={media.url}
          onChange={(event) => onChange({ ...media, url: event.target.value })}
        />
      )}
      {media.kind === 'widget' && (
        <div>
          <Button icon="edit" onClick={() => setEdited(true)}>
            {t('dash.edit-widget')}
          </Button>
        </div>
      )}
      {hasView && (
        <div>
          <Button icon="target" onClick={keepView}>
            {t('story.keep-view')}
          </Button>
        </div>
      )}
      {isEdited && (
        <WidgetDialog
          widget={media.kind === 'widget' ? media.widget : newWidget('bar', 'w1')}
          isNew={media.kind !== 'widget'}
          onClose={() => setEdited(false)}
          onDone={(widget) => {
            setEdited(false);
            onChange({ kind: 'widget', widget });
          }}
        />
      )}
      {(media.kind === 'image' || media.kind === 'video' || media.kind === 'embed') && (
        <InputField
          label={t('story.alt')}
          maxLength={500}
          value={media.alt}
          onChange={(event) => onChange({ ...media, alt: event.target.value })}
        />
      )}
    </div>
  );
}
