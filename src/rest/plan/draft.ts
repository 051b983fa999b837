// The tree that `select` draws, with the filters, orders, windows and logic of the query hung on its nodes by name.
// No look at the schema yet: the only thing that can be wrong is a name that is not embedded.

import { err, ok, type Result } from '../../kernel/result.ts';
import type {
  At,
  EmbedPath,
  Filter,
  HavingFilter,
  LogicTree,
  OrderTerm,
  QueryParams,
  SelectItem,
  Value,
  Window,
} from '../request/api-request.ts';
import type { PlanError } from './plan-error.ts';

export type EmbedItem = Extract<SelectItem, { kind: 'embed' | 'spread' }>;
export type ColumnItem = Exclude<SelectItem, EmbedItem>;

export type Draft = {
  readonly columns: readonly ColumnItem[];
  readonly embeds: readonly { readonly item: EmbedItem; readonly draft: Draft }[];
  readonly filters: Filter[];
  readonly logic: LogicTree[];
  order: readonly OrderTerm[];
  window: Window;
  distinct: readonly Value[] | undefined;
  readonly having: LogicTree<HavingFilter>[];
};

export function makeDraft(query: QueryParams): Result<Draft, PlanError> {
  const root = draftOf(query.select);
  const hung =
    hang(root, query.filters, (draft, filter) => draft.filters.push(filter)) ??
    // Of several orders for one node the first counts.
    hang(root, query.order, (draft, terms) => {
      if (draft.order.length === 0) draft.order = terms;
    }) ??
    hang(root, query.windows, (draft, window) => {
      draft.window = window;
    }) ??
    hang(root, query.logic, (draft, tree) => draft.logic.push(tree)) ??
    hang(root, query.distinct, (draft, values) => {
      draft.distinct ??= values;
    }) ??
    hang(root, query.having, (draft, tree) => draft.having.push(tree));
  return hung === undefined ? ok(root) : err(hung);
}

function draftOf(items: readonly SelectItem[]): Draft {
  const columns: ColumnItem[] = [];
  const embeds: { item: EmbedItem; draft: Draft }[] = [];
  for (const item of items) {
    if (item.kind === 'embed' || item.kind === 'spread') embeds.push({ item, draft: draftOf(item.items) });
    else columns.push(item);
  }
  return { columns, embeds, filters: [], logic: [], order: [], window: { offset: 0 }, distinct: undefined, having: [] };
}

function hang<T>(root: Draft, all: readonly At<T>[], put: (draft: Draft, value: T) => void): PlanError | undefined {
  for (const { at, value } of all) {
    const found = descend(root, at);
    if (!found.ok) return found.error;
    put(found.value, value);
  }
  return undefined;
}

function descend(root: Draft, path: EmbedPath): Result<Draft, PlanError> {
  let draft = root;
  for (const name of path) {
    const next = findEmbed(draft, name);
    if (next === undefined) return err({ kind: 'not-embedded', name });
    draft = next.draft;
  }
  return ok(draft);
}

/** By alias first; by table name an embed without alias comes before one with. */
function findEmbed(draft: Draft, name: string): Draft['embeds'][number] | undefined {
  return (
    draft.embeds.find(({ item }) => outputName(item) === name) ?? draft.embeds.find(({ item }) => item.name === name)
  );
}

export function outputName(item: EmbedItem): string {
  return item.kind === 'embed' ? (item.alias ?? item.name) : item.name;
}
