// The viewer itself: the map, the layers beside it, the tools above it, the table below it.

import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { occurringNow } from '../../api/missing-values.ts';
import type { MapRecord } from '../../api/types.ts';
import { extentOf, union } from '../../lib/bbox.ts';
import type { Extent } from '../../lib/catalogue-state.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { Point } from '../../lib/measure.ts';
import { rename } from '../../lib/navigation.ts';
import { useSession } from '../../lib/session.ts';
import { extentOfShapes } from '../../lib/shapes.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { useDefaults } from '../../lib/use-defaults.ts';
import { parseView, type View, viewHash } from '../../lib/view-hash.ts';
import type { Drawn, FeatureFilter } from '../../map/drawn.ts';
import { LazyMap } from '../../map/LazyMap.tsx';
import { legendEntries } from '../../map/layer-source.ts';
import type { Camera, MapHandle, Moved, Picked, Swipe } from '../../map/MapView.tsx';
import { keyOf, useLayerSources } from '../../map/use-layer-sources.ts';
import { attributeNames, legendHeading, legendLabel } from '../resource/Legend.tsx';
import { AddExternalDialog } from './AddExternalDialog.tsx';
import { AddLayerDialog } from './AddLayerDialog.tsx';
import { AnnotationCard } from './AnnotationCard.tsx';
import { AnnotationPanel } from './AnnotationPanel.tsx';
import { BasemapMenu } from './BasemapMenu.tsx';
import { BookmarkMenu } from './BookmarkMenu.tsx';
import { bothOf, refOf, useChanges, useDrawnLayers } from './drawn-layers.ts';
import { EditPanel } from './edit/EditPanel.tsx';
import { EditToolbar } from './edit/EditToolbar.tsx';
import { useEditor } from './edit/use-editor.ts';
import { FoundFeatures } from './FoundFeatures.tsx';
import { LayerPanel } from './LayerPanel.tsx';
import { MeasureBar, type MeasureKind, measureShapes } from './MeasureBar.tsx';
import { PlaceSearch } from './PlaceSearch.tsx';
import { PrintDialog } from './PrintDialog.tsx';
import { type PrintOptions, printMap, sheetOf } from './print-map.ts';
import { SaveDialog } from './SaveDialog.tsx';
import { ShareMapDialog } from './ShareMapDialog.tsx';
import { SwipeTool } from './SwipeTool.tsx';
import { StylePanel } from './style/StylePanel.tsx';
import { TimeBar } from './TimeBar.tsx';
import { AttributeTable, type ChosenRow } from './table/AttributeTable.tsx';
import { pickedAnnotation, useAnnotating } from './use-annotating.ts';
import { useExternalFeatures } from './use-external-features.ts';
import { useIdentify } from './use-identify.ts';
import { ViewerBar } from './ViewerBar.tsx';
import {
  type AnyLayer,
  addressOf,
  changeViewer,
  configOf,
  contentOf,
  hasData,
  isExternal,
  isOfCatalogue,
  seenLayers,
  swipedOf,
  titleOf,
  type ViewerState,
} from './viewer-state.ts';
import './viewer.css';

type Side = { readonly kind: 'layers' | 'annotations' } | { readonly kind: 'style' | 'edit'; readonly key: string };

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
  const [dialog, setDialog] = useState<'add' | 'external' | 'save' | 'share' | 'print'>();
  const [table, setTable] = useState<string>();
  const [timed, setTimed] = useState<string>();
  const [period, setPeriod] = useState<FeatureFilter>();
  const [row, setRow] = useState<ChosenRow>();
  const seen = useMemo(() => seenLayers(state), [state]);
  const identify = useIdentify(seen, () => here().zoom);
  const { found, marked, pick, clear } = identify;
  const [trouble, setTrouble] = useState<readonly string[]>([]);
  const [measure, setMeasure] = useState<MeasureKind>();
  const [points, setPoints] = useState<readonly Point[]>([]);
  const [note, setNote] = useState<string>();
  const [goTo, setGoTo] = useState<{ readonly extent: Extent } | { readonly camera: Camera }>();
  const [turn, setTurn] = useState(0);
  const [extent, setExtent] = useState<Extent>();
  const [saved, setSaved] = useState(record);
  const content = useMemo(() => contentOf(state), [state]);
  const [kept, setKept] = useState(content);
  const isChanged = content !== kept;
  // Who cannot save anything loses nothing.
  useUnsaved(isChanged && user !== null && user !== undefined);
  const view = useRef<Moved | undefined>(undefined);
  const map = useRef<MapHandle>(null);
  const aside = useRef<HTMLElement>(null);
  const sideBefore = useRef(side.kind);
  // What was clicked is gone with its panel: who works by keyboard goes on in the new one.
  useEffect(() => {
    if (sideBefore.current !== side.kind) aside.current?.focus({ preventScroll: true });
    sideBefore.current = side.kind;
  }, [side.kind]);

  const own = state.layers.filter(hasData);
  const sources = useLayerSources(own.map(refOf), turn);
  const edited = side.kind === 'edit' ? own.find(({ key }) => key === side.key) : undefined;
  const [edits, setEdits] = useState<ReadonlyMap<string, number>>(new Map());
  const noteSaved = (pk: string): void => setEdits((all) => new Map(all).set(pk, (all.get(pk) ?? 0) + 1));
  const editor = useEditor(edited?.key, edited?.layer, extent, () => noteSaved(edited?.layer.pk ?? ''));
  const shownLayers = useMemo(
    () =>
      period === undefined
        ? seen
        : seen.map((one) => (one.key === timed && hasData(one) ? { ...one, filter: bothOf(one.filter, period) } : one)),
    [seen, timed, period],
  );
  const features = useExternalFeatures(seen, extent);
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
      ...(points.length === 0
        ? []
        : [{ kind: 'shapes' as const, id: 'measure', look: 'measure' as const, data: measureShapes(points, measure) }]),
    ],
    [drawnLayers, annotating.drawn, editor?.shapes, marked, row, points, measure],
  );
  const keep = (to: Moved): void => {
    view.current = to;
    setExtent(to.extent);
    rename(window.location.pathname + window.location.search + viewHash(to));
  };
  // A link to another view of the same map, or an address typed by hand.
  useEffect(() => {
    const follow = (): void => {
      const to = parseView(window.location.hash.slice(1));
      if (to !== undefined) setGoTo({ camera: to });
    };
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  const here = (): View => view.current ?? { center: [0, 20], zoom: 1 };
  const print = async (options: PrintOptions): Promise<boolean> => {
    const { map: place } = sheetOf(options);
    const printed = await map.current?.print([place.width, place.height], options.dpi / 96);
    if (printed === null || printed === undefined) return false;
    const shown = seen.filter(({ visible }) => visible);
    const told = shown.map(async (one) => {
      if (!hasData(one)) return { title: titleOf(one), entries: [] };
      const source = sources.get(keyOf(refOf(one)));
      const all = source?.ok === true ? legendEntries(source.value, one.draft ?? one.own, one.opacity) : [];
      const entries = await occurringNow(one.layer.pk, all);
      const names = attributeNames(one.layer);
      return {
        title: one.layer.title,
        entries: entries.map((entry) => ({
          ...entry,
          label: legendLabel(entry.label, t),
          attribute: entry.attribute === undefined ? undefined : legendHeading(entry, names, t),
        })),
      };
    });
    const legends = await Promise.all(told);
    // Whose map it stands on, as the map itself says it.
    const credits = document.querySelector('.viewer-map .maplibregl-ctrl-attrib-inner')?.textContent ?? '';
    const note = [shown.map(titleOf).join(' · '), credits, t.date(new Date().toISOString())];
    await printMap(printed.picture, options, {
      legends,
      note: note.filter((part) => part !== '').join(' — '),
      metresPerPixel: printed.metresPerPixel,
      land: getComputedStyle(aside.current ?? document.body).getPropertyValue('--map-land'),
    });
    return true;
  };
  /** Where the map began, or all of its layers. */
  const homeOf = (): { readonly extent: Extent } | { readonly camera: Camera } | undefined => {
    if (saved !== undefined && start !== undefined) return 'zoom' in start ? { camera: start } : { extent: start };
    const extents = state.layers.flatMap((layer) => {
      const one = extentOfLayer(layer);
      return one === undefined ? [] : [one];
    });
    const all = union(extents);
    return all === undefined ? { camera: { center: [10, 25], zoom: 0.9 } } : { extent: all };
  };
  const toggleMeasure = (kind: MeasureKind): void => {
    setMeasure(measure === kind ? undefined : kind);
    setPoints([]);
    clear();
  };
  const openAnnotations = (id?: string): void => {
    clear();
    setNote(undefined);
    setMeasure(undefined);
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
  const styled = side.kind === 'style' ? own.find(({ key }) => key === side.key) : undefined;
  const timedLayer = own.find(({ key }) => key === timed);
  const tabled = own.find(({ key }) => key === table);
  return (
    <div className={isSideOpen ? 'viewer with-side' : 'viewer'} data-basemap={state.basemap}>
      <ViewerBar
        title={saved?.title ?? t('viewer.untitled')}
        isUnsaved={isChanged || (saved === undefined && state.layers.length > 0)}
        isSideOpen={isSideOpen}
        onSide={() => setSideOpen(!isSideOpen)}
        measure={measure}
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
            onGo={({ center, zoom }) => setGoTo({ camera: { center, zoom } })}
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
          if (home !== undefined) setGoTo(home);
        }}
        onShare={() => setDialog('share')}
        onSave={() => setDialog('save')}
        address={isChanged ? addressOf(state) : window.location.pathname + window.location.search}
      />
      {/* Hidden, not gone: a style that is being edited stays in it. */}
      <aside
        ref={aside}
        tabIndex={-1}
        hidden={!isSideOpen}
        className="viewer-side"
        aria-label={
          styled !== undefined
            ? t('style.title', { title: styled.layer.title })
            : editor !== undefined
              ? t('edit.title', { title: editor.layer.title })
              : t(isAnnotating ? 'note.title' : 'viewer.layers')
        }
      >
        {editor !== undefined ? (
          <EditPanel
            key={edited?.key}
            editor={editor}
            onClose={() => editor.close(() => setSide({ kind: 'layers' }))}
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
              setTurn((n) => n + 1);
            }}
            onClose={() => {
              change({ kind: 'draft', key: styled.key, layers: undefined });
              setSide({ kind: 'layers' });
            }}
          />
        ) : isAnnotating ? (
          <AnnotationPanel
            annotating={annotating}
            onZoom={({ geometry }) => {
              const around = extentOfShapes({
                type: 'FeatureCollection',
                features: [{ type: 'Feature', properties: {}, geometry }],
              });
              if (around !== undefined) setGoTo({ extent: around });
            }}
            onClose={() => {
              annotating.choose(undefined);
              setSide({ kind: 'layers' });
            }}
          />
        ) : (
          <LayerPanel
            layers={state.layers}
            groups={state.groups}
            hidden={record?.hidden_layers ?? 0}
            sources={sources}
            trouble={trouble}
            change={change}
            features={features}
            onAdd={() => setDialog('add')}
            onAddExternal={canAddExternal ? () => setDialog('external') : undefined}
            on={{
              style: (key) => setSide({ kind: 'style', key }),
              edit: (key) => {
                clear();
                setMeasure(undefined);
                setSide({ kind: 'edit', key });
              },
              table: (key) => setTable(table === key ? undefined : key),
              tabled: table,
              time: (key) => {
                setPeriod(undefined);
                setTimed(timed === key ? undefined : key);
              },
              timed,
              zoom: (one) => {
                const extent = extentOfLayer(one);
                if (extent !== undefined) setGoTo({ extent });
              },
            }}
          />
        )}
      </aside>
      <div className="viewer-map">
        <LazyMap
          label={t('viewer.map')}
          drawn={drawn}
          start={start}
          goTo={goTo}
          onMoved={keep}
          onPick={pickOnMap}
          onCluster={() => {
            setNote(undefined);
            clear();
          }}
          drawing={editor?.drawing ?? annotating.drawing}
          swipe={swiped}
          onTrouble={setTrouble}
          onPoint={measure === undefined ? undefined : (at) => setPoints([...points, at])}
          handle={map}
          basemap={state.basemap}
          hasTools
        />
        {editor !== undefined && <EditToolbar editor={editor} />}
        <PlaceSearch onGo={(camera) => setGoTo({ camera })} />
        {measure !== undefined && (
          <MeasureBar
            kind={measure}
            points={points}
            onClear={() => setPoints([])}
            onClose={() => toggleMeasure(measure)}
          />
        )}
        <FoundFeatures identify={identify} layers={state.layers} onClose={clear} />
        {noted !== undefined && (
          <AnnotationCard one={noted} onEdit={() => openAnnotations(noted.id)} onClose={() => setNote(undefined)} />
        )}
        {swiped !== undefined && (
          <SwipeTool swipe={swiped} layers={state.layers} onChange={setSwipe} onClose={() => setSwipe(undefined)} />
        )}
        {timedLayer !== undefined && (
          <TimeBar
            key={timedLayer.key}
            layer={timedLayer.layer}
            onFilter={setPeriod}
            onClose={() => {
              setTimed(undefined);
              setPeriod(undefined);
            }}
          />
        )}
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
              if (around !== undefined) setGoTo({ extent: around });
              return;
            }
            setRow(next);
            if (around !== undefined) setGoTo({ extent: around });
          }}
          onFilter={(filter) => change({ kind: 'filter', key: tabled.key, filter })}
          onClose={() => {
            change({ kind: 'filter', key: tabled.key, filter: undefined });
            // Back to where the table was opened.
            aside.current
              ?.querySelector<HTMLElement>(`[data-layer="${CSS.escape(tabled.key)}"] .menu > button`)
              ?.focus();
            setTable(undefined);
            setRow(undefined);
          }}
        />
      )}
      {dialog === 'add' && (
        <AddLayerDialog
          present={state.layers.filter(isOfCatalogue).map(({ layer }) => layer.pk)}
          onAdd={(layer) => {
            change({ kind: 'add', layer });
            const extent = extentOf(layer.ll_bbox_polygon);
            if (extent !== undefined && state.layers.length === 0) setGoTo({ extent });
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'external' && (
        <AddExternalDialog
          hosts={hosts}
          present={state.layers.filter(isExternal).map(({ external }) => external)}
          onAdd={(external) => {
            change({ kind: 'add-external', external });
            if (external.bbox !== undefined && state.layers.length === 0) setGoTo({ extent: external.bbox });
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'save' && (
        <SaveDialog
          record={saved}
          layers={state.layers.filter(isOfCatalogue).map(({ layer }) => layer)}
          config={configOf(state, here())}
          picture={() => map.current?.toPng() ?? Promise.resolve(null)}
          onClose={() => setDialog(undefined)}
          onSaved={(next) => {
            setKept(content);
            setSaved(next);
            setDialog(undefined);
            rename(`/viewer/${next.pk}${viewHash(here())}`);
          }}
        />
      )}
      {dialog === 'print' && (
        <PrintDialog
          title={saved?.title ?? t('viewer.untitled')}
          onPrint={print}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'share' && (
        <ShareMapDialog
          record={saved}
          address={addressOf(state)}
          view={here()}
          isChanged={isChanged}
          onClose={() => setDialog(undefined)}
          onSave={() => setDialog('save')}
        />
      )}
    </div>
  );
}

function extentOfLayer(one: AnyLayer): Extent | undefined {
  return isExternal(one) ? one.external.bbox : extentOf(one.layer.ll_bbox_polygon);
}
