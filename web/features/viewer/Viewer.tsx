// The viewer itself: the map, the layers beside it, the tools above it, the table below it.

import { useMemo, useReducer, useRef, useState } from 'react';
import type { MapRecord } from '../../api/types.ts';
import { union } from '../../lib/bbox.ts';
import type { Extent } from '../../lib/catalogue-state.ts';
import { detailText } from '../../lib/detail.ts';
import { useText } from '../../lib/i18n/text.ts';
import { rename } from '../../lib/navigation.ts';
import { useSession } from '../../lib/session.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { useDefaults } from '../../lib/use-defaults.ts';
import { viewHash } from '../../lib/view-hash.ts';
import type { Drawn, FeatureFilter } from '../../map/drawn.ts';
import { LazyMap } from '../../map/LazyMap.tsx';
import type { Camera, MapHandle, Picked, Swipe } from '../../map/MapView.tsx';
import type { LayerDetail } from '../../map/use-details.ts';
import { useLayerSources } from '../../map/use-layer-sources.ts';
import { BasemapMenu } from './BasemapMenu.tsx';
import { BookmarkMenu } from './BookmarkMenu.tsx';
import { type Destination, extentOfLayer } from './destination.ts';
import { bothOf, refOf, useChanges, useDrawnLayers } from './drawn-layers.ts';
import { useEditor } from './edit/use-editor.ts';
import { MapTools } from './MapTools.tsx';
import type { MeasureKind } from './MeasureBar.tsx';
import { AttributeTable, type ChosenRow } from './table/AttributeTable.tsx';
import { pickedAnnotation, useAnnotating } from './use-annotating.ts';
import { useExternalFeatures } from './use-external-features.ts';
import { useIdentify } from './use-identify.ts';
import { useMeasure } from './use-measure.ts';
import { usePrint } from './use-print.ts';
import { useView } from './use-view.ts';
import { ViewerBar } from './ViewerBar.tsx';
import { type DialogKind, ViewerDialog } from './ViewerDialog.tsx';
import { type Side, ViewerSide } from './ViewerSide.tsx';
import { addressOf, changeViewer, contentOf, hasData, seenLayers, swipedOf, type ViewerState } from './viewer-state.ts';
import './viewer.css';

export function Viewer({
  record,
  initial,
  start,
}: {
  readonly record: MapRecord | undefined;
  readonly initial: ViewerState;
  readonly start: Camera | Extent | undefined;
}) {
  const t = useText();
  const { user } = useSession();
  const hosts = useDefaults()?.remote_hosts ?? [];
  const canAddExternal = hosts.length > 0 && user !== null && user !== undefined;
  const [state, change] = useReducer(changeViewer, initial);
  const [side, setSide] = useState<Side>({ kind: 'layers' });
  const [isSideOpen, setSideOpen] = useState(true);
  const [dialog, setDialog] = useState<DialogKind>();
  const [table, setTable] = useState<string>();
  const [timed, setTimed] = useState<string>();
  const [period, setPeriod] = useState<FeatureFilter>();
  const [row, setRow] = useState<ChosenRow>();
  const { extent, here, goTo, go, onMoved } = useView();
  const seen = useMemo(() => seenLayers(state), [state]);
  const identify = useIdentify(seen, () => here().zoom);
  const { found, marked, pick, clear } = identify;
  const [trouble, setTrouble] = useState<readonly string[]>([]);
  const [details, setDetails] = useState<readonly LayerDetail[]>([]);
  const notes = useMemo(() => new Map(details.map(({ id, detail }) => [id, detailText(t, detail)])), [details, t]);
  const measuring = useMeasure();
  const [note, setNote] = useState<string>();
  const [turn, setTurn] = useState(0);
  const [saved, setSaved] = useState(record);
  const content = useMemo(() => contentOf(state), [state]);
  const [kept, setKept] = useState(content);
  const isChanged = content !== kept;
  // Who cannot save anything loses nothing.
  useUnsaved(isChanged && user !== null && user !== undefined);
  const map = useRef<MapHandle>(null);
  /** How often somebody wanted it tried again. */
  const [tried, setTried] = useState(0);
  const aside = useRef<HTMLElement>(null);

  const own = state.layers.filter(hasData);
  const sources = useLayerSources(own.map(refOf), turn);
  const edited = side.kind === 'edit' ? own.find(({ key }) => key === side.key) : undefined;
  const [edits, setEdits] = useState<ReadonlyMap<string, number>>(new Map());
  const noteSaved = (pk: string): void => setEdits((all) => new Map(all).set(pk, (all.get(pk) ?? 0) + 1));
  const editor = useEditor(edited?.key, edited?.layer, extent, () => noteSaved(edited?.layer.pk ?? ''));
  const [passing, setPassing] = useState<ReadonlyMap<string, FeatureFilter | undefined>>(new Map());
  const shownLayers = useMemo(
    () =>
      seen.map((one) => {
        if (!hasData(one)) return one;
        const chosen = bothOf(passing.get(one.key), one.key === timed ? period : undefined);
        return chosen === undefined ? one : { ...one, passing: chosen };
      }),
    [seen, timed, period, passing],
  );
  const features = useExternalFeatures(seen, extent, tried);
  const mine = { key: edited?.key, filter: editor?.filter, saved: edits };
  const drawnLayers = useDrawnLayers(shownLayers, sources, features, mine, useChanges(seen));
  const isAnnotating = side.kind === 'annotations';
  const annotating = useAnnotating(state.annotations, isAnnotating, change, () => here().center);
  const drawn = useMemo<readonly Drawn[]>(
    () => [
      ...drawnLayers,
      ...annotating.drawn,
      ...(editor?.shapes ?? []),
      ...marked,
      ...(row === undefined
        ? []
        : [{ kind: 'shapes' as const, id: 'chosen', look: 'chosen' as const, data: row.shape }]),
      ...measuring.drawn,
    ],
    [drawnLayers, annotating.drawn, editor?.shapes, marked, row, measuring.drawn],
  );
  const print = usePrint(map, seen, sources);
  /** Where the map began, or all of its layers. */
  const homeOf = (): Destination | undefined => {
    if (saved !== undefined && start !== undefined) return 'zoom' in start ? { camera: start } : { extent: start };
    const extents = state.layers.flatMap((layer) => {
      const one = extentOfLayer(layer);
      return one === undefined ? [] : [one];
    });
    const all = union(extents);
    return all === undefined ? { camera: { center: [10, 25], zoom: 0.9 } } : { extent: all };
  };
  const toggleMeasure = (kind: MeasureKind): void => {
    measuring.toggle(kind);
    clear();
  };
  const openAnnotations = (id?: string): void => {
    clear();
    setNote(undefined);
    measuring.end();
    setSideOpen(true);
    setSide({ kind: 'annotations' });
    annotating.choose(id);
  };
  const pickOnMap = (at: readonly [number, number], features: readonly Picked[]): void => {
    const id = pickedAnnotation(features);
    if (editor !== undefined) editor.pick(features);
    else if (isAnnotating) annotating.choose(id);
    else {
      setNote(id);
      if (id === undefined) pick(at, features);
      else clear();
    }
  };
  const swiped = swipedOf(state);
  const setSwipe = (swipe: Swipe | undefined): void => change({ kind: 'swipe', swipe });
  const toggleSwipe = (): void => {
    const [top, next] = seen.filter(({ visible }) => visible);
    setSwipe(
      swiped !== undefined || top === undefined ? undefined : { left: top.key, right: next?.key ?? '', at: 0.5 },
    );
  };
  const noted = state.annotations.find(({ id }) => id === note);
  const timedLayer = own.find(({ key }) => key === timed);
  const tabled = own.find(({ key }) => key === table);
  return (
    <div className={isSideOpen ? 'viewer with-side' : 'viewer'} data-basemap={state.basemap}>
      <ViewerBar
        title={saved?.title ?? t('viewer.untitled')}
        isUnsaved={isChanged || (saved === undefined && state.layers.length > 0)}
        isSideOpen={isSideOpen}
        onSide={() => setSideOpen(!isSideOpen)}
        measure={measuring.kind}
        onMeasure={toggleMeasure}
        isAnnotating={isAnnotating}
        onAnnotate={() => {
          if (!isAnnotating) return openAnnotations();
          annotating.choose(undefined);
          setSide({ kind: 'layers' });
        }}
        isSwiping={swiped !== undefined}
        canSwipe={state.layers.length > 0}
        onSwipe={toggleSwipe}
        bookmarks={
          <BookmarkMenu
            bookmarks={state.bookmarks}
            onGo={({ center, zoom }) => go({ camera: { center, zoom } })}
            onAdd={(name) => {
              const { center, zoom } = here();
              change({ kind: 'bookmark', bookmark: { name, center, zoom } });
            }}
            onDrop={(name) => change({ kind: 'drop-bookmark', name })}
          />
        }
        basemaps={<BasemapMenu chosen={state.basemap} onChoose={(id) => change({ kind: 'basemap', id })} />}
        onPrint={() => setDialog('print')}
        onHome={() => {
          const home = homeOf();
          if (home !== undefined) go(home);
        }}
        onShare={() => setDialog('share')}
        onSave={() => setDialog('save')}
        address={isChanged ? addressOf(state) : window.location.pathname + window.location.search}
      />
      <ViewerSide
        aside={aside}
        isOpen={isSideOpen}
        side={side}
        show={setSide}
        state={state}
        change={change}
        sources={sources}
        editor={editor}
        annotating={annotating}
        onGo={go}
        onStyleSaved={() => setTurn((n) => n + 1)}
        list={{
          hidden: record?.hidden_layers ?? 0,
          trouble,
          notes,
          features,
          onAdd: () => setDialog('add'),
          onAddExternal: canAddExternal ? () => setDialog('external') : undefined,
          onPassing: (key, chosen) => setPassing((all) => new Map(all).set(key, chosen)),
          on: {
            retry: () => {
              map.current?.retry();
              setTried((n) => n + 1);
            },
            edit: (key) => {
              clear();
              measuring.end();
              setSide({ kind: 'edit', key });
            },
            table: (key) => setTable(table === key ? undefined : key),
            tabled: table,
            time: (key) => {
              setPeriod(undefined);
              setTimed(timed === key ? undefined : key);
            },
            timed,
          },
        }}
      />
      <div className="viewer-map">
        <LazyMap
          label={t('viewer.map')}
          drawn={drawn}
          start={start}
          goTo={goTo}
          onMoved={onMoved}
          onPick={pickOnMap}
          onCluster={() => {
            setNote(undefined);
            clear();
          }}
          drawing={editor?.drawing ?? annotating.drawing}
          swipe={swiped}
          onTrouble={setTrouble}
          onDetails={setDetails}
          onPoint={measuring.kind === undefined ? undefined : measuring.add}
          handle={map}
          basemap={state.basemap}
          hasTools
        />
        <MapTools
          editor={editor}
          onGo={(camera) => go({ camera })}
          measuring={measuring}
          onMeasure={toggleMeasure}
          identify={identify}
          layers={state.layers}
          note={noted && { one: noted, onEdit: () => openAnnotations(noted.id), onClose: () => setNote(undefined) }}
          swipe={swiped}
          onSwipe={setSwipe}
          timed={
            timedLayer && {
              one: timedLayer,
              onFilter: setPeriod,
              onClose: () => {
                setTimed(undefined);
                setPeriod(undefined);
              },
            }
          }
        />
      </div>
      {tabled !== undefined && (
        <AttributeTable
          key={tabled.key}
          one={tabled}
          chosen={row}
          clicked={found.find(({ drawn: id }) => id === tabled.key)}
          extent={extent}
          saved={edits.get(tabled.layer.pk) ?? 0}
          onSaved={() => noteSaved(tabled.layer.pk)}
          onChoose={(next, around) => {
            // Who edits the layer takes a feature from its table, too: without a pointer, or when it is not on the map.
            if (editor !== undefined && edited?.key === tabled.key) {
              if (next !== undefined) editor.open(next.name);
              if (around !== undefined) go({ extent: around });
              return;
            }
            setRow(next);
            if (around !== undefined) go({ extent: around });
          }}
          onFilter={(filter) => change({ kind: 'filter', key: tabled.key, filter })}
          onClose={() => {
            // Back to where the table was opened.
            aside.current
              ?.querySelector<HTMLElement>(`[data-layer="${CSS.escape(tabled.key)}"] .menu > button`)
              ?.focus();
            setTable(undefined);
            setRow(undefined);
          }}
        />
      )}
      {dialog !== undefined && (
        <ViewerDialog
          kind={dialog}
          show={setDialog}
          state={state}
          change={change}
          hosts={hosts}
          saved={saved}
          isChanged={isChanged}
          here={here}
          map={map}
          print={print}
          onGo={go}
          onSaved={(next) => {
            setKept(content);
            setSaved(next);
            setDialog(undefined);
            rename(`/viewer/${next.pk}${viewHash(here())}`);
          }}
        />
      )}
    </div>
  );
}
