// Groups of layers in a map. Layers stand in one list from the top to the bottom, each with the id of its group; layers of a group stand next
// to each other in it, whatever is done to them. Pure.

import type { LayerGroup } from '../../lib/map-config.ts';

export type Grouped = { readonly key: string; readonly group: string | undefined };

/** What the list of layers shows, from the top to the bottom. */
export type Entry<L extends Grouped> =
  | { readonly kind: 'layer'; readonly layer: L }
  | { readonly kind: 'group'; readonly group: LayerGroup; readonly layers: readonly L[] };

/** Groups without layers stand at the top. */
export function entriesOf<L extends Grouped>(layers: readonly L[], groups: readonly LayerGroup[]): readonly Entry<L>[] {
  const members = (id: string): readonly L[] => layers.filter(({ group }) => group === id);
  const empty = groups
    .filter(({ id }) => members(id).length === 0)
    .map((group) => ({ kind: 'group' as const, group, layers: [] }));
  const told = new Set<string>();
  const full = layers.flatMap((layer): readonly Entry<L>[] => {
    const group = groups.find(({ id }) => id === layer.group);
    if (group === undefined) return [{ kind: 'layer', layer }];
    if (told.has(group.id)) return [];
    told.add(group.id);
    return [{ kind: 'group', group, layers: members(group.id) }];
  });
  return [...empty, ...full];
}

/** Each group where its first layer is. */
export function gathered<L extends Grouped>(layers: readonly L[]): readonly L[] {
  const told = new Set<string>();
  return layers.flatMap((layer) => {
    if (layer.group === undefined) return [layer];
    if (told.has(layer.group)) return [];
    told.add(layer.group);
    return layers.filter(({ group }) => group === layer.group);
  });
}

/** One step up or down: within its group, out of it at its end, into an open one beside it, past a folded one. */
export function stepped<L extends Grouped>(
  layers: readonly L[],
  groups: readonly LayerGroup[],
  key: string,
  by: -1 | 1,
): readonly L[] {
  const from = layers.findIndex((one) => one.key === key);
  const moved = layers[from];
  if (moved === undefined) return layers;
  const next = layers[from + by];
  const to = next?.group;
  const regrouped = (group: string | undefined): readonly L[] =>
    layers.map((one) => (one === moved ? { ...moved, group } : one));
  if (moved.group !== undefined && moved.group !== to) return regrouped(undefined);
  if (next === undefined) return layers;
  if (moved.group === to) return layers.map((one) => (one === moved ? next : one === next ? moved : one));
  if (groups.find(({ id }) => id === to)?.isOpen === true) return regrouped(to);
  const others = layers.filter((one) => one !== moved);
  const block = others.filter(({ group }) => group === to);
  const start = others.findIndex(({ group }) => group === to);
  const at = by === 1 ? start + block.length : start;
  return [...others.slice(0, at), moved, ...others.slice(at)];
}

/** A whole group past what stands beside it. */
export function steppedGroup<L extends Grouped>(
  layers: readonly L[],
  groups: readonly LayerGroup[],
  id: string,
  by: -1 | 1,
): readonly L[] {
  const entries = [...entriesOf(layers, groups)];
  const from = entries.findIndex((one) => one.kind === 'group' && one.group.id === id);
  const [one, other] = [entries[from], entries[from + by]];
  if (one === undefined || other === undefined) return layers;
  [entries[from], entries[from + by]] = [other, one];
  return entries.flatMap((entry) => (entry.kind === 'layer' ? [entry.layer] : entry.layers));
}

/** Before the layer that had this place among the others, as a member of this group. */
export function placedAt<L extends Grouped>(
  layers: readonly L[],
  key: string,
  to: number,
  group: string | undefined,
): readonly L[] {
  const moved = layers.find((one) => one.key === key);
  if (moved === undefined) return layers;
  const others = layers.filter((one) => one !== moved);
  const [first, last] = [
    others.findIndex((one) => one.group === group),
    others.findLastIndex((one) => one.group === group),
  ];
  const wanted = Math.min(others.length, Math.max(0, to));
  // Into a group: no farther than its ends. Beside one: not between its layers.
  const inside = group === undefined || first < 0 ? wanted : Math.min(last + 1, Math.max(first, wanted));
  const around = others[inside]?.group;
  const at =
    around !== undefined && around !== group && others[inside - 1]?.group === around
      ? others.findLastIndex((one) => one.group === around) + 1
      : inside;
  if (layers.indexOf(moved) === at && moved.group === group) return layers;
  return [...others.slice(0, at), { ...moved, group }, ...others.slice(at)];
}
