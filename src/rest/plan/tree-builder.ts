// The last step of reading a plan: from resolved embeds to the nodes that become SQL. It cannot fail.

import type { Filter, LogicTree, Window } from '../request/api-request.ts';
import type { SchemaCache } from '../schema-cache/schema-cache.ts';
import { filterCondition, plainCondition } from './conditions.ts';
import type { ColumnItem, Draft } from './draft.ts';
import { fieldOutputName, fieldRef, type KnownColumns, valueRef } from './field-ref.ts';
import { distinctFirst, havingOf, isShownName, measureOfTerm, windowRows } from './groups.ts';
import type { Condition, EmbedNode, NodeWindow, OrderBy, Output, ReadNode } from './plan.ts';
import { spatialType } from './planned-calls.ts';
import type { ReadRoot } from './read-root.ts';
import { countsRows, isGrouped, isNullTest, type Resolved, type ResolvedEmbed } from './resolve-embeds.ts';
import { sqlAlias } from './sql-alias.ts';
import { smaller } from './window-plan.ts';

export type TreeContext = {
  readonly cache: SchemaCache;
  /** Cap on every window; undefined where there is none. */
  readonly maxRows: number | undefined;
  /** A write's answer shows all rows it wrote, whatever windows the query has. */
  readonly windowed: boolean;
};

/** A column that a spread hands up to its parent. */
type HoistedColumn = Omit<Extract<Output, { kind: 'hoisted' }>, 'kind' | 'embed'>;

type Built = { readonly embed: EmbedNode; readonly hoistedColumns: readonly HoistedColumn[] };

/** Counts as it goes, so that every joined set of rows has its own name. */
export class TreeBuilder {
  readonly #context: TreeContext;
  #counter = 0;

  constructor(context: TreeContext) {
    this.#context = context;
  }

  root(resolved: Resolved, root: ReadRoot): ReadNode {
    const embeds = this.#embeds(resolved, root.name, 1);
    const outputs = this.#outputs(resolved, embeds, root.named === true);
    const grouped = isGrouped(resolved.draft) || outputs.some(isGrouping);
    const order = this.#orders(resolved, embeds, grouped);
    return {
      from: root.from,
      rowType: root.rowType,
      alias: root.name,
      outputs,
      where: root.filtered ? this.#conditions(resolved, embeds) : [],
      window: root.window,
      embeds: embeds.map(({ embed }) => embed),
      grouped,
      ...this.#ofGroups(resolved, order),
    };
  }

  #embeds(resolved: Resolved, parentAlias: string, depth: number): readonly Built[] {
    return resolved.embeds.map((embed) => this.#embed(embed, parentAlias, depth));
  }

  #embed(resolved: ResolvedEmbed, parentAlias: string, depth: number): Built {
    const { foreign } = resolved.relationship;
    this.#counter += 1;
    // A table may be called what another's alias would be (`items_1`): no alias repeats its parent's.
    const named = (base: string, suffix: string): string => {
      const plain = sqlAlias(base, suffix);
      return plain === parentAlias ? sqlAlias(base, `${suffix}_`) : plain;
    };
    const sqlName = named(resolved.name, `_${depth}_${this.#counter}`);
    const alias = named(foreign.name, `_${depth}`);
    const inside = resolved.inside;
    const embeds = this.#embeds(inside, alias, depth + 1);
    const shown = this.#outputs(inside, embeds, resolved.spread);
    const { outputs, hoistedColumns } = resolved.spread
      ? hoist(shown, resolved.toOne)
      : { outputs: shown, hoistedColumns: [] };
    // The aggregates of a spread are those of the row it is spread into.
    const grouped = outputs.some(isGrouping) || (!resolved.spread && isGrouped(inside.draft));
    const order = this.#orders(inside, embeds, grouped);
    const node: ReadNode = {
      from: { kind: 'relation', relation: foreign },
      rowType: foreign,
      alias,
      outputs,
      where: this.#conditions(inside, embeds),
      window: this.#window(inside.draft.window),
      embeds: embeds.map(({ embed }) => embed),
      grouped,
      ...this.#ofGroups(inside, order),
    };
    return {
      embed: {
        name: resolved.name,
        sqlName,
        relationship: resolved.relationship,
        toOne: resolved.toOne,
        spread: resolved.spread,
        inner: resolved.join === 'inner',
        silent: outputs.length === 0,
        node,
      },
      hoistedColumns,
    };
  }

  /** The order, with what DISTINCT ON needs before it, and the conditions on groups. */
  #ofGroups({ draft, columns }: Resolved, order: readonly OrderBy[]): Pick<ReadNode, 'order' | 'having' | 'distinct'> {
    const { cache } = this.#context;
    const having = havingOf(draft, columns, cache);
    const distinct = draft.distinct?.map((value) => valueRef(value, columns, cache));
    return {
      order: distinct === undefined ? order : distinctFirst(distinct, order),
      ...(having.length > 0 && { having }),
      ...(distinct && { distinct }),
    };
  }

  #window(window: Window): NodeWindow {
    if (!this.#context.windowed) return { limit: undefined, offset: 0 };
    return { limit: smaller(window.limit, this.#context.maxRows), offset: window.offset };
  }

  #outputs(resolved: Resolved, embeds: readonly Built[], named: boolean): readonly Output[] {
    const hoisted = embeds.some(({ hoistedColumns }) =>
      hoistedColumns.some((hoistedColumn) => hoistedColumn.aggregate !== undefined),
    );
    const grouped = hoisted || isGrouped(resolved.draft);
    // PostgreSQL cannot group by `*`, and a spread or a keyset page names the columns it hands on.
    return [
      ...resolved.draft.columns.flatMap((item) => this.#column(item, resolved.columns, grouped || named)),
      ...embeds.flatMap(({ embed, hoistedColumns }): readonly Output[] =>
        embed.spread
          ? hoistedColumns.map((hoistedColumn) => ({ kind: 'hoisted', embed, ...hoistedColumn }))
          : embed.silent
            ? []
            : [{ kind: 'embed', embed, name: embed.name }],
      ),
    ];
  }

  #column(item: ColumnItem, table: KnownColumns | undefined, expandStar: boolean): readonly Output[] {
    const { representations } = this.#context.cache;
    switch (item.kind) {
      case 'star': {
        const columns = table === undefined ? [] : [...table.columns.values()];
        const shownAsIs = columns.every(
          ({ representation }) => representation === null || representations.get(representation)?.toJson == null,
        );
        if (columns.length === 0) return [{ kind: 'star' }];
        const named = columns.map(({ name }) =>
          plainColumn(fieldRef({ name, path: [] }, table, this.#context.cache), name),
        );
        return shownAsIs && !expandStar ? [{ kind: 'star', columns: named }] : named;
      }
      case 'count':
        return [
          {
            kind: 'count',
            name: item.alias ?? 'count',
            cast: item.cast,
            ...this.#refinements(item, table),
          },
        ];
      case 'window':
        return [
          {
            kind: 'window',
            fn: item.fn,
            over: windowRows(item.over, table, this.#context.cache),
            name: item.alias ?? item.fn,
            cast: item.cast,
          },
        ];
      case 'field': {
        const { field, aggregate, neighbour } = item;
        const { cast, calls } = asGeojson(item, table);
        const called = calls === undefined ? { field } : { field, calls, ...(cast !== undefined && { cast }) };
        return [
          {
            kind: 'column',
            field: valueRef(called, table, this.#context.cache),
            name: item.alias ?? neighbour?.fn ?? aggregate ?? item.calls?.at(-1)?.name ?? fieldOutputName(field),
            cast: calls === undefined ? cast : undefined,
            aggregate,
            aggregateCast: item.aggregateCast,
            ...(item.distinct && { distinct: true }),
            ...(neighbour && { neighbour }),
            ...this.#refinements(item, table),
          },
        ];
      }
    }
  }

  #refinements(
    { filter, over }: Pick<Extract<ColumnItem, { kind: 'count' }>, 'filter' | 'over'>,
    table: KnownColumns | undefined,
  ): Pick<Extract<Output, { kind: 'count' }>, 'filter' | 'over'> {
    const { cache } = this.#context;
    return {
      ...(filter && { filter: filter.map((tree) => plainCondition(tree, table, cache)) }),
      ...(over && { over: windowRows(over, table, cache) }),
    };
  }

  #conditions(resolved: Resolved, embeds: readonly { embed: EmbedNode }[]): readonly Condition[] {
    const leaf = (filter: Filter): Condition => {
      const embed =
        isNullTest(filter) && filter.field.path.length === 0
          ? embeds.find((one) => one.embed.name === filter.field.name)
          : undefined;
      if (embed !== undefined) return { kind: 'exists', embed: embed.embed, negated: !filter.negated };
      return filterCondition(filter, resolved.columns, this.#context.cache);
    };
    const walk = (tree: LogicTree): Condition =>
      tree.kind === 'filter'
        ? leaf(tree.filter)
        : { kind: 'group', operator: tree.operator, negated: tree.negated, children: tree.children.map(walk) };
    return [...resolved.draft.filters.map(leaf), ...resolved.draft.logic.map(walk)];
  }

  #orders(resolved: Resolved, embeds: readonly Built[], grouped: boolean): readonly OrderBy[] {
    const { cache } = this.#context;
    return resolved.draft.order.map((term) => {
      const { field, relation, direction, nulls } = term;
      const measured = measureOfTerm(term, resolved.draft, resolved.columns, cache);
      if (measured !== undefined) return { by: { kind: 'measure', measure: measured }, direction, nulls };
      if (isShownName(term, resolved.draft, resolved.columns))
        return { by: { kind: 'shown', name: field.name }, direction, nulls };
      const index = relation === undefined ? -1 : resolved.embeds.findIndex((embed) => embed.name === relation);
      const related = resolved.embeds[index];
      const built = embeds[index];
      if (related === undefined || built === undefined)
        return { by: { kind: 'own', field: valueRef(term, resolved.columns, cache) }, direction, nulls };
      if (!related.toOne && countsRows(term)) return { by: { kind: 'count-of', embed: built.embed }, direction, nulls };
      const shown = related.spread ? spreadItem(related.inside.draft, field.name) : undefined;
      // Rows that are grouped have only what they show; what is shown is the value after its cast; and what the spread was itself
      // hoisted is known by that name nowhere else.
      if (shown === undefined ? related.spread && field.path.length === 0 : grouped || shown.cast !== undefined) {
        const hoisted = built.hoistedColumns.find(
          (hoistedColumn) => hoistedColumn.name === field.name && hoistedColumn.aggregate === undefined,
        );
        if (hoisted !== undefined)
          return { by: { kind: 'hoisted', embed: built.embed, column: hoisted.column }, direction, nulls };
      }
      return {
        by: {
          kind: 'related',
          embed: built.embed,
          field: fieldRef(shown?.field ?? field, related.inside.columns, cache),
        },
        direction,
        nulls,
      };
    });
  }
}

/** `geom::geojson`, where the column is a geometry. */
function asGeojson(
  { field, cast, calls }: Extract<ColumnItem, { kind: 'field' }>,
  table: KnownColumns | undefined,
): Pick<Extract<ColumnItem, { kind: 'field' }>, 'cast' | 'calls'> {
  const isGeometry = cast === 'geojson' && spatialType(table?.columns.get(field.name)?.nominalType) !== undefined;
  if (isGeometry && calls === undefined && field.path.length === 0)
    return { calls: [{ name: 'st_asgeojson', args: [] }] };
  return { ...(cast !== undefined && { cast }), ...(calls && { calls }) };
}

function plainColumn(
  field: Extract<Output, { kind: 'column' }>['field'],
  name: string,
): Extract<Output, { kind: 'column' }> {
  return { kind: 'column', field, name, cast: undefined, aggregate: undefined, aggregateCast: undefined };
}

function isGrouping(output: Output): boolean {
  if (output.kind === 'count') return output.over === undefined;
  if (output.kind === 'column') return output.aggregate !== undefined && output.over === undefined;
  return output.kind === 'hoisted' && output.aggregate !== undefined;
}

/** In a spread, orders go by the names that the spread shows. */
function spreadItem(draft: Draft, name: string): Extract<ColumnItem, { kind: 'field' }> | undefined {
  return draft.columns.find(
    (item): item is Extract<ColumnItem, { kind: 'field' }> =>
      item.kind === 'field' && (item.alias ?? fieldOutputName(item.field)) === name,
  );
}

/**
 * What a spread shows gets names of its own (two of its columns may show the same one), and its aggregates move up to the
 * row they are spread into.
 */
function hoist(
  shown: readonly Output[],
  toOne: boolean,
): { outputs: readonly Output[]; hoistedColumns: readonly HoistedColumn[] } {
  const outputs: Output[] = [];
  const hoistedColumns: HoistedColumn[] = [];
  shown.forEach((output, i) => {
    const column = `s${i + 1}`;
    switch (output.kind) {
      case 'star':
        // Only a relation without known columns keeps its star; there is nothing to lend then.
        return;
      case 'count':
        hoistedColumns.push({ column: '', name: output.name, aggregate: 'count-rows', cast: output.cast });
        return;
      case 'column':
        outputs.push({ ...output, name: column, aggregate: undefined, aggregateCast: undefined });
        hoistedColumns.push({ column, name: output.name, aggregate: output.aggregate, cast: output.aggregateCast });
        return;
      case 'window':
      case 'embed':
        outputs.push({ ...output, name: column });
        hoistedColumns.push({ column, name: output.name, aggregate: undefined, cast: undefined });
        return;
      case 'hoisted':
        if (output.aggregate === 'count-rows') {
          hoistedColumns.push({ column: '', name: output.name, aggregate: 'count-rows', cast: output.cast });
          return;
        }
        outputs.push({ ...output, name: column, aggregate: undefined, cast: undefined });
        hoistedColumns.push({
          column,
          name: output.name,
          aggregate: toOne ? output.aggregate : undefined,
          cast: output.cast,
        });
        return;
    }
  });
  return { outputs, hoistedColumns };
}
