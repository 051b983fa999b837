// Drawing annotations: which tool is at work, which annotation is chosen, what the map draws of them.

import type { Feature, FeatureCollection, Geometry, Position } from 'geojson';
import { useMemo, useState } from 'react';
import {
  ANNOTATION_COLOUR,
  type Annotation,
  type AnnotationKind,
  annotationShapes,
  shapeOfCorners,
} from '../../lib/annotations.ts';
import type { Drawing, DrawTool } from '../../map/drawing.ts';
import type { Drawn } from '../../map/drawn.ts';
import type { Picked } from '../../map/MapView.tsx';
import type { ViewerAction } from './viewer-state.ts';

const ANNOTATIONS = 'annotations';

const TOOLS: Readonly<Record<AnnotationKind, DrawTool>> = {
  point: 'point',
  text: 'point',
  line: 'line',
  polygon: 'polygon',
};

export type Annotating = {
  readonly annotations: readonly Annotation[];
  readonly chosen: string | undefined;
  /** The chosen one was drawn just now. */
  readonly isNew: boolean;
  readonly tool: AnnotationKind | undefined;
  readonly isShaping: boolean;
  readonly canFinish: boolean;
  readonly drawing: Drawing | undefined;
  readonly drawn: readonly Drawn[];
  readonly choose: (id: string | undefined) => void;
  readonly begin: (tool: AnnotationKind | undefined) => void;
  /** A corner where the map has its middle, for who draws without a pointer. */
  readonly setCorner: () => void;
  readonly finish: () => void;
  readonly change: (one: Annotation) => void;
  readonly drop: (id: string) => void;
  readonly setShaping: (isOn: boolean) => void;
};

export function useAnnotating(
  annotations: readonly Annotation[],
  isOpen: boolean,
  dispatch: (action: ViewerAction) => void,
  middle: () => readonly [number, number],
): Annotating {
  const [chosen, setChosen] = useState<string>();
  const [made, setMade] = useState<string>();
  const [tool, setTool] = useState<AnnotationKind>();
  const [isShaping, setShaping] = useState(false);
  const [corners, setCorners] = useState<readonly Position[]>([]);
  const [colour, setColour] = useState(ANNOTATION_COLOUR);
  const one = annotations.find(({ id }) => id === chosen);
  const begin = (next: AnnotationKind | undefined): void => {
    setTool(next);
    setCorners([]);
    setShaping(false);
    if (next !== undefined) setChosen(undefined);
  };
  const choose = (id: string | undefined): void => {
    begin(undefined);
    setMade(undefined);
    setChosen(id);
  };
  const change = (annotation: Annotation): void => {
    setColour(annotation.colour);
    dispatch({ kind: 'annotate', annotation });
  };
  const add = (kind: AnnotationKind, geometry: Geometry): void => {
    const id = crypto.randomUUID();
    dispatch({ kind: 'annotate', annotation: { id, kind, title: '', description: '', colour, geometry } });
    begin(undefined);
    setChosen(id);
    setMade(id);
  };
  const setCorner = (): void => {
    if (tool === undefined) return;
    const next = [...corners, [...middle()]];
    const isSingle = tool === 'point' || tool === 'text';
    const shape = isSingle ? shapeOfCorners(tool, next) : undefined;
    if (shape === undefined) setCorners(next);
    else add(tool, shape);
  };
  const whole = tool === undefined ? undefined : shapeOfCorners(tool, corners);
  // The tools are told of another drawing only where it is another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is heard with is made anew each time, and means the same.
  const drawing = useMemo((): Drawing | undefined => {
    if (!isOpen) return undefined;
    if (tool !== undefined)
      return {
        tool: TOOLS[tool],
        subject: undefined,
        targets: undefined,
        onDrawn: (geometry) => add(tool, geometry),
        onShaped: () => undefined,
      };
    if (!isShaping || one === undefined) return undefined;
    return {
      tool: one.geometry.type === 'Point' ? 'move' : 'reshape',
      subject: { key: one.id, geometry: one.geometry },
      targets: undefined,
      onDrawn: () => undefined,
      onShaped: (_key, geometry) => change({ ...one, geometry }),
    };
  }, [isOpen, tool, isShaping, one, colour]);
  const shaped = drawing?.subject?.key;
  const drawn = useMemo<readonly Drawn[]>(
    () => [
      ...drawnAnnotations(annotations, shaped),
      ...(corners.length === 0
        ? []
        : [{ kind: 'shapes' as const, id: 'corners', look: 'measure' as const, data: cornerShapes(corners) }]),
    ],
    [annotations, shaped, corners],
  );
  return {
    annotations,
    chosen,
    isNew: made !== undefined && made === chosen,
    tool,
    isShaping,
    canFinish: whole !== undefined,
    drawing,
    drawn,
    choose,
    begin,
    setCorner,
    finish: () => {
      if (tool !== undefined && whole !== undefined) add(tool, whole);
    },
    change,
    drop: (id) => {
      choose(undefined);
      dispatch({ kind: 'drop-annotation', id });
    },
    setShaping,
  };
}

export function drawnAnnotations(annotations: readonly Annotation[], without?: string): readonly Drawn[] {
  if (annotations.length === 0) return [];
  return [{ kind: 'shapes', id: ANNOTATIONS, look: 'annotations', data: annotationShapes(annotations, without) }];
}

/** The topmost annotation among what was clicked. */
export function pickedAnnotation(features: readonly Picked[]): string | undefined {
  const found = features.find(({ drawn }) => drawn === ANNOTATIONS)?.properties['annotation'];
  return typeof found === 'string' ? found : undefined;
}

function cornerShapes(corners: readonly Position[]): FeatureCollection {
  const feature = (geometry: Geometry): Feature => ({ type: 'Feature', properties: {}, geometry });
  return {
    type: 'FeatureCollection',
    features: [
      ...(corners.length > 1 ? [feature({ type: 'LineString', coordinates: [...corners] })] : []),
      ...corners.map((at) => feature({ type: 'Point', coordinates: at })),
    ],
  };
}
