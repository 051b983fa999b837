// What is asked in a dialog over the map: which layer to add, how to save, share and print.

import type { RefObject } from 'react';
import type { MapRecord } from '../../api/types.ts';
import { extentOf } from '../../lib/bbox.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { View } from '../../lib/view-hash.ts';
import type { MapHandle } from '../../map/MapView.tsx';
import { AddExternalDialog } from './AddExternalDialog.tsx';
import { AddLayerDialog } from './AddLayerDialog.tsx';
import type { Destination } from './destination.ts';
import { PrintDialog } from './PrintDialog.tsx';
import { SaveDialog } from './SaveDialog.tsx';
import { ShareMapDialog } from './ShareMapDialog.tsx';
import type { Print } from './use-print.ts';
import { addressOf, configOf, isExternal, isOfCatalogue, type ViewerAction, type ViewerState } from './viewer-state.ts';

export type DialogKind = 'add' | 'external' | 'save' | 'share' | 'print';

export function ViewerDialog({
  kind,
  show,
  state,
  change,
  hosts,
  saved,
  isChanged,
  here,
  map,
  print,
  onGo,
  onSaved,
}: {
  readonly kind: DialogKind;
  readonly show: (next: DialogKind | undefined) => void;
  readonly state: ViewerState;
  readonly change: (action: ViewerAction) => void;
  /** Whose services may be added. */
  readonly hosts: readonly string[];
  readonly saved: MapRecord | undefined;
  readonly isChanged: boolean;
  readonly here: () => View;
  readonly map: RefObject<MapHandle | null>;
  readonly print: Print;
  readonly onGo: (to: Destination) => void;
  readonly onSaved: (record: MapRecord) => void;
}) {
  const t = useText();
  switch (kind) {
    case 'add':
      return (
        <AddLayerDialog
          present={state.layers.filter(isOfCatalogue).map(({ layer }) => layer.pk)}
          onAdd={(layer) => {
            change({ kind: 'add', layer });
            const extent = extentOf(layer.ll_bbox_polygon);
            if (extent !== undefined && state.layers.length === 0) onGo({ extent });
          }}
          onClose={() => show(undefined)}
        />
      );
    case 'external':
      return (
        <AddExternalDialog
          hosts={hosts}
          present={state.layers.filter(isExternal).map(({ external }) => external)}
          onAdd={(external) => {
            change({ kind: 'add-external', external });
            if (external.bbox !== undefined && state.layers.length === 0) onGo({ extent: external.bbox });
          }}
          onClose={() => show(undefined)}
        />
      );
    case 'save':
      return (
        <SaveDialog
          record={saved}
          layers={state.layers.filter(isOfCatalogue).map(({ layer }) => layer)}
          config={configOf(state, here())}
          picture={() => map.current?.toPng() ?? Promise.resolve(null)}
          onClose={() => show(undefined)}
          onSaved={onSaved}
        />
      );
    case 'print':
      return (
        <PrintDialog title={saved?.title ?? t('viewer.untitled')} onPrint={print} onClose={() => show(undefined)} />
      );
    case 'share':
      return (
        <ShareMapDialog
          record={saved}
          address={addressOf(state)}
          view={here()}
          isChanged={isChanged}
          shows={state.shows}
          onShows={(shows) => change({ kind: 'shows', shows })}
          onClose={() => show(undefined)}
          onSave={() => show('save')}
        />
      );
  }
}
