// Editing a layer in the viewer: the session, the tool in hand, what the map is told to draw, and saving.

import type { FeatureCollection, Geometry } from 'geojson';
import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { featuresNear, mergeShapes, readFeature, splitShape, writeFeature } from '../../../api/edit-features.ts';
import type { Failure } from '../../../api/failure.ts';
import type { Layer } from '../../../api/types.ts';
import { useLoaded } from '../../../api/use-loaded.ts';
import type { Extent } from '../../../lib/catalogue-state.ts';
import type { DrawKind } from '../../../lib/edit/coordinate-text.ts';
import {
  changeEdits,
  type EditAction,
  type EditFeature,
  type EditSession,
  fieldNow,
  isChanged,
  keyOf,
  NO_EDITS,
  unsavedOf,
} from '../../../lib/edit/edit-session.ts';
import { type FeatureForm, featureForm } from '../../../lib/edit/feature-form.ts';
import { piecesOf, withPart } from '../../../lib/edit/pieces.ts';
import { NOTHING_TO_SNAP, type SnapTargets, snapTargets } from '../../../lib/edit/snap.ts';
import { useUnsaved } from '../../../lib/unsaved.ts';
import { type Drawing, type DrawTool, MAX_HANDLES } from '../../../map/drawing.ts';
import type { Drawn } from '../../../map/drawn.ts';
import type { Picked } from '../../../map/MapView.tsx';

export type EditTool = 'select' | DrawTool;

export type Editor = {
  readonly layer: Layer;
  readonly form: FeatureForm | undefined;
  readonly session: EditSession;
  readonly dispatch: (action: EditAction) => void;
  readonly selected: readonly EditFeature[];
  readonly unsaved: readonly EditFeature[];
  readonly tool: EditTool;
  readonly tools: readonly EditTool[];
  readonly kinds: readonly DrawKind[];
  readonly isMulti: boolean;
  readonly setTool: (tool: EditTool) => void;
  readonly isSnapping: boolean;
  readonly setSnapping: (on: boolean) => void;
  readonly isSeveral: boolean;
  readonly setSeveral: (on: boolean) => void;
  readonly isPart: boolean;
  readonly setPart: (on: boolean) => void;
  readonly isBusy: boolean;
  readonly failure: Failure | undefined;
  readonly clearFailure: () => void;
  readonly pick: (features: readonly Picked[]) => void;
  readonly open: (id: string | number) => void;
  readonly canMerge: boolean;
  /** Into one of them, whose attributes and id it has. */
  readonly merge: (into: string) => void;
  readonly save: () => Promise<void>;
  /** What was changed is saved over somebody else's change. */
  readonly keepMine: (key: string) => Promise<void>;
  /** It was changed elsewhere on the page: what is shown of it is no longer so. */
  readonly forget: (key: string) => void;
  /** Ends the session; asks first where something would be lost. */
  readonly close: (then: () => void) => void;
  readonly drawing: Drawing | undefined;
  readonly shapes: readonly Drawn[];
  /** Passes what is not being edited; undefined: all. */
  readonly filter: unknown;
};

const EDITED = 'edited';
/** Features of a view that can be snapped to. */
const MAX_NEAR = 300;
const NO_KINDS: readonly DrawKind[] = [];

export function useEditor(
  drawnId: string | undefined,
  layer: Layer | undefined,
  extent: Extent | undefined,
  onSaved: () => void,
): Editor | undefined {
  const [session, dispatch] = useReducer(changeEdits, NO_EDITS);
  const [tool, setToolOnly] = useState<EditTool>('select');
  const [isSnapping, setSnapping] = useState(true);
  const [isSeveral, setSeveral] = useState(false);
  const [isPart, setPart] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const name = layer?.name;
  const [schema] = useLoaded(name === undefined ? undefined : `/ogc/collections/${encodeURIComponent(name)}/schema`);
  const form = useMemo(() => (schema.kind === 'loaded' ? featureForm(schema.value) : undefined), [schema]);
  const unsaved = useMemo(() => unsavedOf(session), [session]);
  const work = useUnsaved(unsaved.length > 0);
  const selected = useMemo(
    () => session.selected.flatMap((key) => session.features.find((one) => one.key === key && !one.isDeleted) ?? []),
    [session],
  );
  const near = useNear(name, isSnapping && tool !== 'select' ? extent : undefined);
  const targets = useMemo<SnapTargets>(() => {
    const edited = new Set(session.features.map(({ key }) => key));
    const shapes = [
      ...session.features.flatMap(({ key, geometry, isDeleted }) => (isDeleted ? [] : [{ of: key, geometry }])),
      ...near.flatMap(({ id, geometry }) => (edited.has(keyOf(id)) ? [] : [{ of: keyOf(id), geometry }])),
    ];
    return shapes.length === 0 ? NOTHING_TO_SNAP : snapTargets(shapes);
  }, [near, session.features]);

  const kinds = form === undefined ? NO_KINDS : kindsOf(form.geometryType);
  const isMulti = form !== undefined && (form.geometryType === 'any' || form.geometryType.startsWith('multi'));
  const [one] = selected;
  const alone = selected.length === 1 ? one : undefined;
  const subject =
    alone?.geometry === null || alone === undefined ? undefined : { key: alone.key, geometry: alone.geometry };
  const vertices = useMemo(
    () => piecesOf(subject?.geometry ?? null).reduce((sum, piece) => sum + piece.vertices.length, 0),
    [subject?.geometry],
  );
  const hasPaths = subject !== undefined && !/Point$/.test(subject.geometry.type);
  const canHandle = hasPaths && vertices <= MAX_HANDLES;
  const tools: readonly EditTool[] = [
    'select',
    ...kinds,
    ...(subject === undefined ? [] : (['move'] as const)),
    ...(canHandle ? (['reshape', 'prune'] as const) : []),
    ...(hasPaths ? (['cut'] as const) : []),
  ];
  // A tool that has lost what it works on is laid down.
  const inHand: EditTool = tools.includes(tool) ? tool : 'select';

  const latest = useRef({ session, alone, isPart });
  latest.current = { session, alone, isPart };
  const attempt = async (step: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    await step();
    setBusy(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the subject is another exactly when its key or geometry is.
  const drawing = useMemo<Drawing | undefined>(() => {
    if (inHand === 'select' || name === undefined) return undefined;
    return {
      tool: inHand,
      subject,
      targets: isSnapping ? targets : undefined,
      onShaped: (key, geometry) => dispatch({ kind: 'shape', key, geometry }),
      onDrawn: (geometry) => {
        const { alone: whole, isPart: isMore } = latest.current;
        if (inHand === 'cut') {
          if (whole?.geometry == null) return;
          const { key, geometry: shape } = whole;
          void attempt(async () => {
            const pieces = await splitShape(name, shape, geometry);
            if (!pieces.ok) return setFailure(pieces.error);
            const readOnly = form?.fields.filter((field) => field.isReadOnly).map((field) => field.name) ?? [];
            dispatch({ kind: 'split', key, pieces: pieces.value, readOnly });
            setToolOnly('select');
          });
        } else if (isMore && whole !== undefined)
          dispatch({ kind: 'shape', key: whole.key, geometry: withPart(whole.geometry, geometry) });
        else {
          dispatch({ kind: 'draw', geometry });
          setToolOnly('select');
        }
      },
    };
  }, [inHand, subject?.key, subject?.geometry, isSnapping, targets, name, form]);

  const isHandled = inHand === 'move' || inHand === 'reshape' || inHand === 'prune';
  const shapes = useMemo<readonly Drawn[]>(() => {
    const features: FeatureCollection['features'] = session.features.flatMap((feature) => {
      const { key, geometry, isDeleted } = feature;
      // The tool has it in hand, and draws it itself.
      if (geometry === null || (isHandled && key === subject?.key)) return [];
      const isSelected = session.selected.includes(key);
      const state = isDeleted ? 'deleted' : isSelected ? 'selected' : isChanged(feature) ? 'changed' : 'seen';
      return [{ type: 'Feature', geometry, properties: { key, state } }];
    });
    return features.length === 0
      ? []
      : [{ kind: 'shapes', id: EDITED, look: 'edited', data: { type: 'FeatureCollection', features } }];
  }, [session.features, session.selected, isHandled, subject?.key]);
  const filter = useMemo(() => hidingFilter(session.features, form?.key), [session.features, form?.key]);

  if (layer === undefined || name === undefined || drawnId === undefined) return undefined;

  const writeAll = async (features: readonly EditFeature[]): Promise<void> => {
    let written = 0;
    for (const feature of features) {
      const missing = missingIn(feature, form);
      const trouble =
        missing.length > 0
          ? ({ kind: 'failed', failure: { kind: 'invalid', said: missing } } as const)
          : await writeFeature(name, feature);
      if (trouble === undefined) written += 1;
      dispatch(
        trouble === undefined ? { kind: 'saved', key: feature.key } : { kind: 'trouble', key: feature.key, trouble },
      );
      // Whoever has to sign in first need not be refused for every feature.
      if (trouble?.kind === 'failed' && ['signed-out', 'offline'].includes(trouble.failure.kind)) break;
    }
    if (written > 0) onSaved();
  };
  const open = (id: string | number): void => {
    if (session.features.some(({ key }) => key === keyOf(id)) && !isSeveral) {
      dispatch({ kind: 'select', keys: [keyOf(id)] });
      return;
    }
    void attempt(async () => {
      const feature = await readFeature(name, id);
      if (feature.ok) dispatch({ kind: 'open', feature: feature.value, isAlso: isSeveral });
      else setFailure(feature.error);
    });
  };
  return {
    layer,
    form,
    session,
    dispatch,
    selected,
    unsaved,
    tool: inHand,
    tools,
    kinds,
    isMulti,
    setTool: (next) => {
      setFailure(undefined);
      setToolOnly(next);
    },
    isSnapping,
    setSnapping,
    isSeveral,
    setSeveral,
    isPart: isPart && isMulti && alone !== undefined,
    setPart,
    isBusy,
    failure,
    clearFailure: () => setFailure(undefined),
    open,
    pick(features) {
      const own = features.find(({ drawn }) => drawn === EDITED)?.properties['key'];
      if (typeof own === 'string') {
        const others = isSeveral ? session.selected.filter((key) => key !== own) : [];
        const isOff = isSeveral && session.selected.includes(own);
        dispatch({ kind: 'select', keys: isOff ? others : [...others, own] });
        return;
      }
      const found = features.find(({ drawn }) => drawn === drawnId);
      const id = found?.id ?? (form?.key === undefined ? undefined : found?.properties[form.key]);
      if (typeof id === 'string' || typeof id === 'number') open(id);
      else if (!isSeveral) dispatch({ kind: 'select', keys: [] });
    },
    canMerge: selected.length > 1 && selected.every(({ geometry }) => geometry !== null),
    merge: (into) =>
      void attempt(async () => {
        const geometries = selected.flatMap(({ geometry }): readonly Geometry[] =>
          geometry === null ? [] : [geometry],
        );
        const merged = await mergeShapes(name, geometries);
        if (!merged.ok) return setFailure(merged.error);
        const others = selected.map(({ key }) => key).filter((key) => key !== into);
        dispatch({ kind: 'merge', keys: [into, ...others], geometry: merged.value });
      }),
    save: () => attempt(() => writeAll(unsaved)),
    keepMine: (key) =>
      attempt(() => {
        const action: EditAction = { kind: 'keep-mine', key };
        dispatch(action);
        return writeAll(changeEdits(session, action).features.filter((feature) => feature.key === key));
      }),
    forget: (key) => {
      dispatch({ kind: 'discard', keys: [key] });
      onSaved();
    },
    close: (then) =>
      work.leave(() => {
        dispatch({ kind: 'end' });
        setToolOnly('select');
        setSeveral(false);
        setPart(false);
        setFailure(undefined);
        then();
      }),
    drawing,
    shapes,
    filter,
  };
}

/** Fields of a new feature that have to be there. */
function missingIn(feature: EditFeature, form: FeatureForm | undefined): readonly { field: string; text: string }[] {
  if (feature.stored !== undefined || form === undefined) return [];
  return form.fields
    .filter(
      ({ isRequired, isReadOnly, name }) => isRequired && !isReadOnly && (fieldNow(feature, name) ?? null) === null,
    )
    .map(({ name }) => ({ field: name, text: 'This field is required.' }));
}

function kindsOf(type: string): readonly DrawKind[] {
  switch (type.replace(/^multi/, '')) {
    case 'point':
      return ['point'];
    case 'linestring':
      return ['line'];
    case 'polygon':
      return ['polygon'];
    default:
      return ['point', 'line', 'polygon'];
  }
}

/** Features that are being edited are drawn by the editor, as they are to be. */
function hidingFilter(features: readonly EditFeature[], key: string | undefined): unknown {
  const ids = features.flatMap(({ stored }) => (stored === undefined ? [] : [stored.id]));
  if (ids.length === 0) return undefined;
  const named = ids.every((id) => typeof id === 'number') || key === undefined ? ['id'] : ['get', key];
  return ['!', ['in', named, ['literal', ids]]];
}

type Near = Awaited<ReturnType<typeof featuresNear>>;
const NOBODY: Near = [];

function useNear(layer: string | undefined, extent: Extent | undefined): Near {
  const [near, setNear] = useState<Near>(NOBODY);
  const box = extent?.join(',');
  useEffect(() => {
    if (layer === undefined || box === undefined) return;
    const gone = new AbortController();
    const [west = 0, south = 0, east = 0, north = 0] = box.split(',').map(Number);
    featuresNear(layer, [west, south, east, north], MAX_NEAR, gone.signal).then(setNear, () => undefined);
    return () => gone.abort();
  }, [layer, box]);
  return near;
}
