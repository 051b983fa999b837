// Beside the map: its layers, or the style, the features or the annotations that are being worked on.

import { type ComponentProps, type RefObject, useEffect, useRef } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import { extentOfShapes } from '../../lib/shapes.ts';
import type { LoadedSources } from '../../map/use-layer-sources.ts';
import { AnnotationPanel } from './AnnotationPanel.tsx';
import { type Destination, extentOfLayer } from './destination.ts';
import { EditPanel } from './edit/EditPanel.tsx';
import type { Editor } from './edit/use-editor.ts';
import { FilterPanel } from './FilterPanel.tsx';
import { LayerPanel } from './LayerPanel.tsx';
import { StylePanel } from './style/StylePanel.tsx';
import type { Annotating } from './use-annotating.ts';
import { hasData, type ViewerAction, type ViewerState } from './viewer-state.ts';

export type Side =
  | { readonly kind: 'layers' | 'annotations' }
  | { readonly kind: 'style' | 'filter' | 'edit'; readonly key: string };

type List = ComponentProps<typeof LayerPanel>;

export function ViewerSide({
  aside,
  isOpen,
  side,
  show,
  state,
  change,
  sources,
  editor,
  annotating,
  onGo,
  onStyleSaved,
  list,
}: {
  readonly aside: RefObject<HTMLElement | null>;
  readonly isOpen: boolean;
  readonly side: Side;
  readonly show: (next: Side) => void;
  readonly state: ViewerState;
  readonly change: (action: ViewerAction) => void;
  readonly sources: LoadedSources;
  readonly editor: Editor | undefined;
  readonly annotating: Annotating;
  readonly onGo: (to: Destination) => void;
  readonly onStyleSaved: () => void;
  readonly list: Pick<List, 'hidden' | 'trouble' | 'notes' | 'onPassing' | 'features' | 'onAdd' | 'onAddExternal'> & {
    readonly on: Omit<List['on'], 'style' | 'filter' | 'zoom'>;
  };
}) {
  const t = useText();
  const sideBefore = useRef(side.kind);
  // What was clicked is gone with its panel: who works by keyboard goes on in the new one.
  useEffect(() => {
    if (sideBefore.current !== side.kind) aside.current?.focus({ preventScroll: true });
    sideBefore.current = side.kind;
  }, [side.kind, aside.current?.focus]);
  const isAnnotating = side.kind === 'annotations';
  const styled = side.kind === 'style' ? state.layers.filter(hasData).find(({ key }) => key === side.key) : undefined;
  const filtered =
    side.kind === 'filter' ? state.layers.filter(hasData).find(({ key }) => key === side.key) : undefined;
  return (
    // Hidden, not gone: a style that is being edited stays in it.
    <aside
      ref={aside}
      tabIndex={-1}
      hidden={!isOpen}
      className="viewer-side"
      aria-label={
        styled !== undefined
          ? t('style.title', { title: styled.layer.title })
          : filtered !== undefined
            ? t('filter.title', { title: filtered.layer.title })
            : editor !== undefined
              ? t('edit.title', { title: editor.layer.title })
              : t(isAnnotating ? 'note.title' : 'viewer.layers')
      }
    >
      {editor !== undefined ? (
        <EditPanel
          key={side.kind === 'edit' ? side.key : undefined}
          editor={editor}
          onClose={() => editor.close(() => show({ kind: 'layers' }))}
        />
      ) : styled !== undefined ? (
        <StylePanel
          one={styled}
          source={sources}
          onDraft={(layers) => change({ kind: 'draft', key: styled.key, layers })}
          onStyle={(style) => change({ kind: 'set', key: styled.key, to: { style } })}
          onOwn={(own) => {
            change({ kind: 'set', key: styled.key, to: { own } });
            change({ kind: 'draft', key: styled.key, layers: undefined });
          }}
          onSaved={(layer, style) => {
            change({ kind: 'layer', layer });
            if (style !== styled.style) change({ kind: 'set', key: styled.key, to: { style } });
            else change({ kind: 'set', key: styled.key, to: { own: undefined } });
            onStyleSaved();
          }}
          onClose={() => {
            change({ kind: 'draft', key: styled.key, layers: undefined });
            show({ kind: 'layers' });
          }}
        />
      ) : filtered !== undefined ? (
        <FilterPanel key={filtered.key} one={filtered} change={change} onClose={() => show({ kind: 'layers' })} />
      ) : isAnnotating ? (
        <AnnotationPanel
          annotating={annotating}
          onZoom={({ geometry }) => {
            const around = extentOfShapes({
              type: 'FeatureCollection',
              features: [{ type: 'Feature', properties: {}, geometry }],
            });
            if (around !== undefined) onGo({ extent: around });
          }}
          onClose={() => {
            annotating.choose(undefined);
            show({ kind: 'layers' });
          }}
        />
      ) : (
        <LayerPanel
          layers={state.layers}
          groups={state.groups}
          hidden={list.hidden}
          sources={sources}
          trouble={list.trouble}
          notes={list.notes}
          onPassing={list.onPassing}
          change={change}
          features={list.features}
          onAdd={list.onAdd}
          onAddExternal={list.onAddExternal}
          on={{
            ...list.on,
            style: (key) => show({ kind: 'style', key }),
            filter: (key) => show({ kind: 'filter', key }),
            zoom: (one) => {
              const extent = extentOfLayer(one);
              if (extent !== undefined) onGo({ extent });
            },
          }}
        />
      )}
    </aside>
  );
}
