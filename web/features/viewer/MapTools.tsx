// What lies on the map: the tools in use, and what was found in it.

import type { Annotation } from '../../lib/annotations.ts';
import type { FeatureFilter } from '../../map/drawn.ts';
import type { Camera, Swipe } from '../../map/MapView.tsx';
import { AnnotationCard } from './AnnotationCard.tsx';
import { EditToolbar } from './edit/EditToolbar.tsx';
import type { Editor } from './edit/use-editor.ts';
import { FoundFeatures } from './FoundFeatures.tsx';
import { MeasureBar, type MeasureKind } from './MeasureBar.tsx';
import { PlaceSearch } from './PlaceSearch.tsx';
import { SwipeTool } from './SwipeTool.tsx';
import { TimeBar } from './TimeBar.tsx';
import type { useIdentify } from './use-identify.ts';
import type { Measuring } from './use-measure.ts';
import type { AnyLayer, ViewerLayer } from './viewer-state.ts';

export function MapTools({
  editor,
  onGo,
  measuring,
  onMeasure,
  identify,
  layers,
  note,
  swipe,
  onSwipe,
  timed,
}: {
  readonly editor: Editor | undefined;
  readonly onGo: (camera: Camera) => void;
  readonly measuring: Measuring;
  readonly onMeasure: (kind: MeasureKind) => void;
  readonly identify: ReturnType<typeof useIdentify>;
  readonly layers: readonly AnyLayer[];
  /** An annotation that was picked. */
  readonly note: { readonly one: Annotation; readonly onEdit: () => void; readonly onClose: () => void } | undefined;
  readonly swipe: Swipe | undefined;
  readonly onSwipe: (swipe: Swipe | undefined) => void;
  /** The layer whose time is chosen. */
  readonly timed:
    | {
        readonly one: ViewerLayer;
        readonly onFilter: (period: FeatureFilter | undefined) => void;
        readonly onClose: () => void;
      }
    | undefined;
}) {
  const { kind } = measuring;
  return (
    <>
      {editor !== undefined && <EditToolbar editor={editor} />}
      <PlaceSearch onGo={onGo} />
      {kind !== undefined && (
        <MeasureBar kind={kind} points={measuring.points} onClear={measuring.clear} onClose={() => onMeasure(kind)} />
      )}
      <FoundFeatures identify={identify} layers={layers} onClose={identify.clear} />
      {note !== undefined && <AnnotationCard {...note} />}
      {swipe !== undefined && (
        <SwipeTool swipe={swipe} layers={layers} onChange={onSwipe} onClose={() => onSwipe(undefined)} />
      )}
      {timed !== undefined && (
        <TimeBar key={timed.one.key} layer={timed.one.layer} onFilter={timed.onFilter} onClose={timed.onClose} />
      )}
    </>
  );
}
