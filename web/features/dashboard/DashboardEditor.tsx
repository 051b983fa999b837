// Making a dashboard by clicking: widgets are added, moved and resized with the pointer or the keyboard, and every step can be undone. A new one can begin
// with a layer.

import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { aggregatesPath, isAggregates, NO_CONDITIONS } from '../../api/aggregates.ts';
import { getFor } from '../../api/client.ts';
import type { Layer, WrittenRecord } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import {
  changeHistory,
  type Dashboard,
  dashboardData,
  layersIn,
  MAX_WIDGETS,
  newWidget,
  nextId,
  type Widget,
} from '../../lib/dashboard/dashboard.ts';
import { COLUMNS } from '../../lib/dashboard/grid.ts';
import { dashboardOf, likelyCategories } from '../../lib/dashboard/template.ts';
import { useText } from '../../lib/i18n/text.ts';
import { usePlace } from '../../lib/navigation.ts';
import { undoable } from '../../lib/undo.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Empty, Waiting, WhenLoaded, Wrong } from '../../ui/States.tsx';
import { EditorHead } from '../editor/EditorHead.tsx';
import { NameFields } from '../editor/NameFields.tsx';
import { UndoButtons, undoKeys } from '../editor/UndoButtons.tsx';
import { useWrittenItem } from '../editor/use-written-item.ts';
import { Chips, useDashboardScope, WidgetFrame } from './DashboardView.tsx';
import { DashboardContext } from './dashboard-scope.ts';
import { WidgetDialog } from './WidgetDialog.tsx';
import './dashboard.css';

const NOTHING: Dashboard = { widgets: [] };
const MAX_ASKED = 6;

/** A new one: of the layer that the address names, or empty. */
export function NewDashboard() {
  const { search } = usePlace();
  const layer = /^\d{1,9}$/.exec(new URLSearchParams(search).get('layer') ?? '')?.[0];
  const [loaded, again] = useLoaded(layer === undefined ? undefined : `/api/v2/layers/${layer}/`);
  if (layer === undefined) return <DashboardEditor record={undefined} start={NOTHING} />;
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {(reply) => <FromLayer layer={reply.layer} />}
    </WhenLoaded>
  );
}

/** Its columns of words are counted first: the one with a readable number of values becomes the bars. */
function FromLayer({ layer }: { readonly layer: Layer }) {
  const t = useText();
  const [made, setMade] = useState<Dashboard>();
  const [first] = useState({ layer, t });
  useEffect(() => {
    const gone = new AbortController();
    const count = async (): Promise<void> => {
      const columns = likelyCategories(first.layer).slice(0, MAX_ASKED);
      const counted = await Promise.all(
        columns.map(async ({ name }) => {
          const path = aggregatesPath(first.layer.name, { measure: 'distinct', of: name }, NO_CONDITIONS);
          const reply = await getFor(isAggregates, path, gone.signal);
          return [name, reply.ok ? Number(reply.value.measure) : 0] as const;
        }),
      );
      setMade(
        dashboardOf(first.layer, new Map(counted), { count: first.t('dash.count-of', { title: first.layer.title }) }),
      );
    };
    count().catch(() => undefined);
    return () => gone.abort();
  }, [first]);
  if (made === undefined) return <Waiting />;
  return <DashboardEditor record={undefined} start={made} title={layer.title} layer={Number(layer.pk)} />;
}

export function DashboardEditor({
  record,
  start,
  title = '',
  layer,
}: {
  readonly record: WrittenRecord | undefined;
  readonly start: Dashboard;
  readonly title?: string;
  /** The one that new widgets begin with. */
  readonly layer?: number;
}) {
  const t = useText();
  usePageTitle(record?.title ?? t('dash.new'));
  const [history, act] = useReducer(changeHistory, undoable(start));
  const dashboard = history.now;
  const content = useMemo(() => JSON.stringify(dashboard), [dashboard]);
  const data = useMemo(() => dashboardData(dashboard), [dashboard]);
  const { name, setName, save, newer, failure, isBusy, sharing, share } = useWrittenItem(
    'geoapps',
    record,
    content,
    data,
    title,
  );
  const [edited, setEdited] = useState<{ readonly widget: Widget; readonly isNew: boolean }>();
  const scope = useDashboardScope(layersIn(dashboard));
  const add = (): void => {
    const last = dashboard.widgets.findLast((one) => one.layer !== undefined)?.layer ?? layer;
    setEdited({ widget: newWidget('bar', nextId(dashboard), last), isNew: true });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears the keys that undo, wherever in it they are pressed.
    <div className="stack dash-editor" onKeyDown={undoKeys(act)}>
      <form
        className="story-editor-head"
        onSubmit={(event) => {
          event.preventDefault();
          void save(data);
        }}
      >
        <EditorHead
          heading={record === undefined ? t('dash.new') : t('dash.edit')}
          pk={record?.pk}
          isBusy={isBusy}
          newer={newer}
          isReady={name.title.trim() !== ''}
        />
        <NameFields name={name} sharing={sharing} share={share} onChange={setName} />
      </form>
      <Wrong failure={failure} />
      <div className="row apart">
        <div className="row tight">
          <Button look="primary" icon="plus" disabled={dashboard.widgets.length >= MAX_WIDGETS} onClick={add}>
            {t('dash.add-widget')}
          </Button>
          <UndoButtons states={history} act={act} />
        </div>
        {record === undefined && (
          <Link className="small-text" to="/apps/new?raw=1">
            {t('dash.raw')}
          </Link>
        )}
      </div>
      <DashboardContext value={scope}>
        <Chips widgets={dashboard.widgets} scope={scope} />
        {dashboard.widgets.length === 0 && (
          <Empty title={t('dash.empty')} icon="geoapp">
            <p>{t('dash.empty-text')}</p>
          </Empty>
        )}
        <div className="dashboard editing">
          {dashboard.widgets.map((widget, i) => (
            <EditedWidget
              key={widget.id}
              widget={widget}
              place={i}
              count={dashboard.widgets.length}
              onEdit={() => setEdited({ widget, isNew: false })}
              onRemove={() => {
                scope.select(widget, undefined);
                act({ kind: 'change', change: { kind: 'remove', id: widget.id } });
              }}
              onMove={(to, isSameStep) =>
                act({ kind: 'change', change: { kind: 'move', id: widget.id, to }, isSameStep })
              }
              onSize={(width, height, isSameStep) =>
                act({ kind: 'change', change: { kind: 'size', id: widget.id, width, height }, isSameStep })
              }
              placeOf={(id) => dashboard.widgets.findIndex((one) => one.id === id)}
            />
          ))}
        </div>
      </DashboardContext>
      {edited !== undefined && (
        <WidgetDialog
          widget={edited.widget}
          isNew={edited.isNew}
          onClose={() => setEdited(undefined)}
          onDone={(widget) => {
            setEdited(undefined);
            act({ kind: 'change', change: { kind: 'put', widget } });
          }}
        />
      )}
    </div>
  );
}

type Handlers = {
  /** Steps of one drag are undone together. */
  readonly onMove: (to: number, isSameStep: boolean) => void;
  readonly onSize: (width: number, height: number, isSameStep: boolean) => void;
};

function EditedWidget({
  widget,
  place,
  count,
  onEdit,
  onRemove,
  onMove,
  onSize,
  placeOf,
}: Handlers & {
  readonly widget: Widget;
  readonly place: number;
  readonly count: number;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
  readonly placeOf: (id: string) => number;
}) {
  const t = useText();
  const title = widget.title === '' ? t(`widget.${widget.kind}`) : widget.title;
  const drag = useRef<{ isMoved: boolean; x: number; y: number; width: number; height: number; cell: number }>(
    undefined,
  );
  const [isDragged, setDragged] = useState(false);
  const begin = (event: PointerEvent<HTMLButtonElement>): void => {
    const frame = event.currentTarget.closest<HTMLElement>('.widget');
    if (event.button !== 0 || frame === null) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const grid = frame.parentElement?.clientWidth ?? frame.clientWidth;
    const { clientX: x, clientY: y } = event;
    drag.current = { isMoved: false, x, y, width: widget.width, height: widget.height, cell: grid / COLUMNS };
    setDragged(true);
  };
  const end = (): void => {
    drag.current = undefined;
    setDragged(false);
  };
  const movedTo = ({ clientX, clientY }: PointerEvent): void => {
    const { current } = drag;
    if (current === undefined) return;
    const over = document
      .elementsFromPoint(clientX, clientY)
      .map((element) => element.closest<HTMLElement>('[data-widget]')?.dataset['widget'])
      .find((id) => id !== undefined && id !== widget.id);
    const to = over === undefined ? -1 : placeOf(over);
    if (to < 0) return;
    onMove(to, current.isMoved);
    current.isMoved = true;
  };
  const sizedTo = ({ clientX, clientY }: PointerEvent): void => {
    const { current } = drag;
    if (current === undefined) return;
    const width = current.width + Math.round((clientX - current.x) / current.cell);
    const height = current.height + Math.round((clientY - current.y) / ROW_PX);
    if (width === widget.width && height === widget.height) return;
    onSize(width, height, current.isMoved);
    current.isMoved = true;
  };
  const moveKeys = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    if (place + by >= 0 && place + by < count) onMove(place + by, false);
  };
  const sizeKeys = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onSize(widget.width + (by[0] ?? 0), widget.height + (by[1] ?? 0), false);
  };
  return (
    <WidgetFrame widget={widget} className={isDragged ? 'dragged' : ''}>
      <span className="widget-tools">
        <button
          type="button"
          className="button quiet icon small widget-move"
          aria-label={t('dash.move', { title, place: place + 1, count })}
          title={t('dash.move-hint')}
          onPointerDown={begin}
          onPointerMove={movedTo}
          onPointerUp={end}
          onPointerCancel={end}
          onKeyDown={moveKeys}
        >
          <Icon name="move" />
        </button>
        <IconButton small icon="edit" name={t('dash.edit-named', { title })} onClick={onEdit} />
        <IconButton small icon="trash" name={t('action.remove-named', { name: title })} onClick={onRemove} />
      </span>
      <button
        type="button"
        className="widget-size"
        aria-label={t('dash.size', { title, width: widget.width, height: widget.height })}
        title={t('dash.size-hint')}
        onPointerDown={begin}
        onPointerMove={sizedTo}
        onPointerUp={end}
        onPointerCancel={end}
        onKeyDown={sizeKeys}
      />
    </WidgetFrame>
  );
}

/** Height of a row with the gap below it, as the style sheet has it. */
const ROW_PX = 88;
