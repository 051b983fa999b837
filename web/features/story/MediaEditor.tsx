// What stands beside the text of a section: a picture, a map or a layer of the portal.

import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { Media } from '../../lib/story.ts';
import { Field } from '../../ui/Field.tsx';

const KINDS = ['none', 'image', 'map', 'layer'] as const;

export function MediaEditor({ media, onChange }: { readonly media: Media; readonly onChange: (media: Media) => void }) {
  const t = useText();
  const [images] = useLoaded('/api/v2/documents/?filter{doc_type}=image&page_size=100&sort[]=title');
  const [maps] = useLoaded('/api/v2/maps/?page_size=100&sort[]=title');
  const [layers] = useLoaded('/api/v2/layers/?page_size=100&sort[]=title');
  const choices = {
    none: [],
    image: images.kind === 'loaded' ? images.value.documents : [],
    map: maps.kind === 'loaded' ? maps.value.maps : [],
    layer: layers.kind === 'loaded' ? layers.value.layers : [],
  } as const;
  const make = (kind: Media['kind'], id: number): Media => {
    switch (kind) {
      case 'none':
        return { kind };
      case 'image':
        return {
          kind,
          document: id,
          alt: media.kind === 'image' ? media.alt : (choices.image.find(({ pk }) => Number(pk) === id)?.title ?? ''),
        };
      case 'map':
        return { kind, map: id, view: undefined };
      case 'layer':
        return { kind, layer: id, view: undefined };
    }
  };
  const chosen =
    media.kind === 'image'
      ? media.document
      : media.kind === 'map'
        ? media.map
        : media.kind === 'layer'
          ? media.layer
          : 0;
  const list = choices[media.kind];
  return (
    <div className="upload-fields">
      <Field label={t('story.media')}>
        {(wired) => (
          <select
            {...wired}
            className="input"
            value={media.kind}
            onChange={(event) => {
              const kind = KINDS.find((one) => one === event.target.value) ?? 'none';
              onChange(kind === 'none' ? { kind } : make(kind, Number(choices[kind][0]?.pk ?? 0)));
            }}
          >
            {KINDS.map((kind) => (
              <option key={kind} value={kind} disabled={kind !== 'none' && choices[kind].length === 0}>
                {t(`media.${kind}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {media.kind !== 'none' && (
        <Field label={t(`media.${media.kind}`)}>
          {(wired) => (
            <select
              {...wired}
              className="input"
              value={chosen}
              onChange={(event) => onChange(make(media.kind, Number(event.target.value)))}
            >
              {list.map(({ pk, title }) => (
                <option key={pk} value={pk}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {media.kind === 'image' && (
        <Field label={t('story.alt')}>
          {(wired) => (
            <input
              {...wired}
              className="input"
              maxLength={500}
              value={media.alt}
              onChange={(event) => onChange({ ...media, alt: event.target.value })}
            />
          )}
        </Field>
      )}
    </div>
  );
}
