// Makes the overview of a layer, one step of it after the other in a transaction of its own.

import { VISITOR } from '../../auth/caller.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layers/layer.ts';
import type { LayerAccess } from '../../layers/layer-access.ts';
import type { OverviewRun, OverviewStore } from '../../layers/overview-store.ts';
import type { DbError, Flight, FlightResult } from '../../pg/driver.ts';
import { FINEST_ZOOM, keyType } from '../query/grid-sql.ts';
import {
  cellStatements,
  countStatements,
  deepestHeavyStatement,
  keepColumnsStatement,
  keepOverviewStatement,
  keepStatement,
  placesStatements,
  varietyStatement,
} from '../query/overview-sql.ts';
import { type OverviewColumns, overviewColumns } from './overview-columns.ts';

export type OverviewParts = {
  readonly store: OverviewStore;
  /** As the service sees them. */
  readonly layers: LayerAccess;
};

const NO_REQUEST = { method: '', path: '' } as const;
/** Rows whose values are compared. */
const SAMPLE = 5000;

class Stopped extends Error {}

/** What became of it, in a word for the log; throws when it has to be tried again. */
export async function buildOverview(
  { store, layers }: OverviewParts,
  id: number,
  signal: AbortSignal,
): Promise<'made' | 'none' | { readonly failure: string }> {
  const found = await layers.find(VISITOR, NO_REQUEST, String(id));
  if (!found.ok) {
    if (found.error.kind === 'no-such-layer') return 'none';
    throw new Error(`an overview has to wait: ${JSON.stringify(found.error)}`);
  }
  const layer = found.value;
  const begun = await store.begin(id);
  if (!begun.ok) throw new Error(`an overview cannot be begun: ${JSON.stringify(begun.error)}`);
  if (layer.kind !== 'vector' || keyType(layer) === undefined) {
    await store.finish(id, 'the layer has no key of a common type');
    return 'none';
  }
  const looks = await readStyles({ store, layers }, id);
  const built = await store.build((run) => work(run, layer, looks, signal));
  if (built.ok) {
    const done = await store.finish(id, undefined);
    if (!done.ok) throw new Error(`an overview cannot be noted: ${JSON.stringify(done.error)}`);
    return 'made';
  }
  // What the data are to blame for will not be otherwise until they are; anything else may be.
  if (built.error.kind !== 'sql' || /^(?:40|53|55|57)/.test(built.error.sqlstate))
    throw new Error(`an overview has to wait: ${JSON.stringify(built.error)}`);
  await store.finish(id, built.error.message);
  return { failure: built.error.message };
}

type Styles = Parameters<typeof overviewColumns>[1];

async function readStyles({ store, layers }: OverviewParts, id: number): Promise<Styles> {
  const begun = await store.beginColumns(id);
  if (!begun.ok) throw new Error(`the styles of an overview cannot be noted: ${JSON.stringify(begun.error)}`);
  const [own, ofMaps] = [await layers.styles(VISITOR, NO_REQUEST, id), await store.mapStyles(id)];
  return {
    own: own.ok ? own.value.map(({ maplibre }) => maplibre) : [],
    ofMaps: ofMaps.ok ? ofMaps.value : [],
  };
}

/** The columns that styles of today ask for, in the overview that is there. */
export async function renewColumns(parts: OverviewParts, id: number): Promise<void> {
  const { store, layers } = parts;
  const found = await layers.find(VISITOR, NO_REQUEST, String(id));
  const styles = await readStyles(parts, id);
  if (!found.ok || found.value.kind !== 'vector') return;
  const layer = found.value;
  const kept = await store.build(async ({ asService, asLogin }) => {
    const chosen = await chooseColumns(asService, layer, styles);
    if (!chosen.ok) return chosen;
    const done = await asLogin([keepColumnsStatement(layer, chosen.value.columns, chosen.value.needed)]);
    return done.ok ? ok(undefined) : done;
  });
  if (!kept.ok) throw new Error(`the columns of an overview have to wait: ${JSON.stringify(kept.error)}`);
}

async function work(
  { asService, asLogin }: OverviewRun,
  layer: VectorLayer,
  styles: Styles,
  signal: AbortSignal,
): Promise<Result<void, DbError>> {
  const step = async (as: OverviewRun['asLogin'], statements: Flight): Promise<FlightResult> => {
    if (signal.aborted) throw new Stopped('the program stops: the overview is made another time');
    return as(statements);
  };
  const columns = await chooseColumns(asService, layer, styles);
  if (!columns.ok) return columns;
  const placed = await step(asService, placesStatements(layer));
  if (!placed.ok) return placed;
  for (const statement of countStatements()) {
    const counted = await step(asLogin, [statement]);
    if (!counted.ok) return counted;
  }
  const begun = await step(asLogin, [
    deepestHeavyStatement(),
    keepOverviewStatement(layer, columns.value.columns, columns.value.needed),
  ]);
  if (!begun.ok) return begun;
  const cell = begun.value[0]?.rows[0]?.[0]?.toString();
  const heaviest = cell === undefined ? -1 : Number(cell);
  // Tiles may have cells of the next zoom.
  const finest = heaviest < 0 ? -1 : Math.min(heaviest + 1, FINEST_ZOOM + 1);
  if (finest > FINEST_ZOOM) {
    const deepest = await step(asLogin, cellStatements(layer, finest, true));
    if (!deepest.ok) return deepest;
  }
  for (let zoom = FINEST_ZOOM; zoom >= 0; zoom -= 1) {
    const cells = zoom > finest ? [] : cellStatements(layer, zoom, zoom === finest);
    const kept = await step(asLogin, [...cells, keepStatement(layer, zoom, zoom <= heaviest)]);
    if (!kept.ok) return kept;
  }
  return ok(undefined);
}

async function chooseColumns(
  asService: OverviewRun['asService'],
  layer: VectorLayer,
  styles: Styles,
): Promise<Result<OverviewColumns, DbError>> {
  const names = layer.columns.map(({ name }) => name);
  const flown = await asService([varietyStatement(layer, names, SAMPLE)]);
  if (!flown.ok) return err(flown.error);
  const cells = flown.value[0]?.rows[0] ?? [];
  const variety = new Map(names.map((name, i) => [name, Number(cells[i]?.toString() ?? 0)]));
  return ok(overviewColumns(layer, styles, variety));
}
