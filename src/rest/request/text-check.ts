// Which texts of a request PostgreSQL is trusted with: regular expressions that end, and no more text than it can afford to read for
// every row. The values are in their slots already; in: what was parsed, and the values. Out: the first complaint.

import { LENIENT, regexComplaint } from '../../sql/regex-limits.ts';
import type {
  At,
  ColumnCall,
  Filter,
  HavingFilter,
  LogicTree,
  Operation,
  OrderTerm,
  Over,
  SelectItem,
  Value,
} from './api-request.ts';
import { LIMITS, type Limit } from './limits.ts';
import type { RequestError } from './request-error.ts';

type Parsed = {
  readonly select: readonly SelectItem[];
  readonly filters: readonly At<Filter>[];
  readonly logic: readonly At<LogicTree>[];
  readonly order: readonly At<readonly OrderTerm[]>[];
  readonly distinct: readonly At<readonly Value[]>[];
  readonly having: readonly At<LogicTree<HavingFilter>>[];
};

export function refusedText(parsed: Parsed, values: readonly string[]): RequestError | undefined {
  const texts = new Texts(values);
  for (const { value } of parsed.filters) texts.operation(value.operation);
  for (const { value } of parsed.logic) texts.tree(value);
  texts.items(parsed.select);
  for (const { value } of parsed.order) texts.order(value);
  for (const { value } of parsed.distinct) for (const one of value) texts.calls(one.calls);
  for (const { value } of parsed.having) texts.having(value);
  return texts.refused;
}

/** Limits that are a number of characters, added up over the request. */
type Measured = 'searchText' | 'similarText' | 'foldedPattern';

/** Of a function of columns, what its text is to PostgreSQL. */
const TEXTS_OF_CALLS: Partial<Record<ColumnCall['name'], Measured>> = {
  ts_rank: 'searchText',
  ts_rank_cd: 'searchText',
  ts_headline: 'searchText',
  similarity: 'similarText',
  word_similarity: 'similarText',
  trgm_distance: 'similarText',
};

class Texts {
  refused: RequestError | undefined;
  readonly #values: readonly string[];
  readonly #lengths: Record<Measured, number> = { searchText: 0, similarText: 0, foldedPattern: 0 };
  #expressions: Set<string> | undefined;

  constructor(values: readonly string[]) {
    this.#values = values;
  }

  tree(tree: LogicTree): void {
    if (tree.kind === 'filter') this.operation(tree.filter.operation);
    else for (const child of tree.children) this.tree(child);
  }

  having(tree: LogicTree<HavingFilter>): void {
    if (tree.kind === 'group') for (const child of tree.children) this.having(child);
    else {
      const { of, operation } = tree.filter;
      this.operation(operation);
      if (!('aggregate' in of)) return;
      this.calls(of.value?.calls);
      for (const condition of of.aggregate.filter ?? []) this.tree(condition);
    }
  }

  items(items: readonly SelectItem[]): void {
    for (const item of items) {
      if (item.kind === 'star') continue;
      if (item.kind === 'embed' || item.kind === 'spread') {
        this.items(item.items);
        continue;
      }
      if (item.over !== undefined) this.#over(item.over);
      if (item.kind === 'window') continue;
      for (const condition of item.filter ?? []) this.tree(condition);
      if (item.kind === 'field') this.calls(item.calls);
    }
  }

  order(terms: readonly OrderTerm[]): void {
    for (const { calls, aggregate } of terms) {
      this.calls(calls);
      for (const condition of aggregate?.filter ?? []) this.tree(condition);
    }
  }

  calls(calls: readonly ColumnCall[] = []): void {
    for (const { name, args } of calls) {
      const limit = TEXTS_OF_CALLS[name];
      const text = args[0];
      if (limit !== undefined && text?.kind === 'value') this.#measure(limit, text.value);
    }
  }

  operation(operation: Operation): void {
    if (operation.kind === 'search') this.#measure('searchText', operation.value);
    else if (operation.kind === 'similar') this.#measure('similarText', operation.value);
    else if (operation.kind === 'compare') {
      if (operation.operator === 'ilike') this.#measure('foldedPattern', operation.value);
      else if (operation.operator === 'match' || operation.operator === 'imatch') {
        const text = this.#values[operation.value] ?? '';
        this.#expression(operation.operator, text, operation.quantifier !== undefined);
      }
    }
  }

  #over({ partition, order }: Over): void {
    for (const { calls } of partition) this.calls(calls);
    this.order(order);
  }

  #measure(limit: Measured, slot: number): void {
    this.#lengths[limit] += this.#values[slot]?.length ?? 0;
    if (this.#lengths[limit] > LIMITS[limit].most) this.#tooMany(limit);
  }

  /** Of several (`match(any)`) the list is judged as one, as it reads without the backslashes of an array's text. */
  #expression(operator: string, text: string, isList: boolean): void {
    const why = regexComplaint(isList ? unescaped(text) : text, LENIENT);
    if (why !== undefined) this.refused ??= { kind: 'regex-refused', why };
    this.#expressions ??= new Set();
    for (const one of isList ? elementsOf(text) : [text]) this.#expressions.add(`${operator}.${one}`);
    if (this.#expressions.size > LIMITS.expressions.most) this.#tooMany('expressions');
  }

  #tooMany(limit: Limit): void {
    this.refused ??= { kind: 'too-many', limit };
  }
}

function unescaped(array: string): string {
  return array.replace(/\\(.)/gs, '$1');
}

/** Of PostgreSQL's text of an array, cut at commas that are not inside quotes. */
function elementsOf(array: string): readonly string[] {
  return array.match(/(?:"(?:[^"\\]|\\.)*"|\\.|[^",\\])+/gs) ?? [];
}
