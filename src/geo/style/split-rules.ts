// A style layer whose looks follow the data or the zoom → the plain looks it has, each with the condition under which it holds.
// SLD's rules and the entries of a legend are made from them.

import { between, modernFilter } from './expression.ts';
import { missingColumn, valueColumn } from './no-value.ts';
import { type Json, type JsonObject, METADATA, type StyleLayer } from './style-layer.ts';

export type PlainRule = {
  readonly type: StyleLayer['type'];
  /** Besides the layer's own; undefined: always. */
  readonly filter: Json | undefined;
  readonly minzoom: number | undefined;
  readonly maxzoom: number | undefined;
  /** Layout and paint together. What still follows the data is an expression no rules can be made of. */
  readonly values: JsonObject;
  /** The layer's own, or that of the class. */
  readonly title: string | undefined;
  readonly metadata: JsonObject;
  /** It is for features without a value in this column. */
  readonly missing?: string | undefined;
};

/** What features without a value are called. */
export const NO_VALUE_TITLE = 'No value';

const MAX_RULES = 200;

export function splitRules(layer: StyleLayer): readonly PlainRule[] {
  const title = layer.metadata?.[METADATA.title];
  const whole: PlainRule = {
    type: layer.type,
    filter: layer.filter === undefined ? undefined : (modernFilter(layer.filter) as Json),
    minzoom: layer.minzoom,
    maxzoom: layer.maxzoom,
    values: { ...layer.layout, ...layer.paint },
    title: typeof title === 'string' ? title : undefined,
    metadata: layer.metadata ?? {},
    missing: missingColumn(layer.filter),
  };
  let rules: readonly PlainRule[] = [whole];
  // Each round takes one choice out of every rule; a rule without one stays as it is.
  for (let round = 0; round < 8; round++) {
    const next = rules.flatMap(splitOnce);
    if (next.length === rules.length && next.every((rule, i) => rule === rules[i])) return rules;
    if (next.length > MAX_RULES) return rules;
    rules = next;
  }
  return rules;
}

type Branch = {
  readonly filter?: Json;
  readonly minzoom?: number;
  readonly maxzoom?: number;
  readonly title?: string;
  readonly missing?: string | undefined;
  /** The value in this branch. */
  readonly pick: (expression: readonly Json[]) => Json;
};

function splitOnce(rule: PlainRule): readonly PlainRule[] {
  for (const value of Object.values(rule.values)) {
    if (!Array.isArray(value)) continue;
    const branches = branchesOf(value as readonly Json[]);
    if (branches === undefined) continue;
    const shape = shapeOf(value as readonly Json[]);
    return branches.flatMap((branch) => {
      const minzoom = later(rule.minzoom, branch.minzoom);
      const maxzoom = sooner(rule.maxzoom, branch.maxzoom);
      if (minzoom !== undefined && maxzoom !== undefined && minzoom >= maxzoom) return [];
      const values: Record<string, Json> = {};
      for (const [name, other] of Object.entries(rule.values)) {
        // Other properties that make the very same choice are decided with it.
        const isSame = Array.isArray(other) && shapeOf(other as readonly Json[]) === shape;
        values[name] = isSame ? branch.pick(other as readonly Json[]) : other;
      }
      const words = [rule.title, branch.title].filter((word) => word !== undefined && word !== '');
      return [
        {
          ...rule,
          filter: both(rule.filter, branch.filter),
          minzoom,
          maxzoom,
          values,
          title: words.length === 0 ? undefined : words.join(': '),
          ...(branch.missing === undefined ? {} : { missing: branch.missing }),
        },
      ];
    });
  }
  return [rule];
}

const isColumn = (input: Json | undefined): input is readonly Json[] => Array.isArray(input) && input[0] === 'get';
const isZoom = (input: Json | undefined): boolean => Array.isArray(input) && input[0] === 'zoom';

function branchesOf(expression: readonly Json[]): readonly Branch[] | undefined {
  const [name, input, ...rest] = expression;
  switch (name) {
    case 'match':
      return input === undefined ? undefined : matchBranches(input, rest);
    case 'case':
      return caseBranches(expression.slice(1));
    case 'step':
      if (input === undefined) return undefined;
      return isZoom(input) ? zoomSteps(rest) : stepBranches(input, rest);
    case 'interpolate': {
      const [stopsInput, ...stops] = rest;
      return isZoom(stopsInput) ? zoomRange(stops) : undefined;
    }
    default:
      return undefined;
  }
}

/** Two expressions with one shape choose between their outputs by the same conditions. */
function shapeOf(expression: readonly Json[]): string {
  const [name, ...rest] = expression;
  const isOutput = (i: number): boolean => {
    if (name === 'step') return i >= 1 && i % 2 === 1;
    if (name === 'match') return i >= 1 && (i % 2 === 0 || i === rest.length - 1);
    if (name === 'case') return i % 2 === 1 || i === rest.length - 1;
    return i >= 2 && i % 2 === 1;
  };
  return JSON.stringify([name, ...rest.map((part, i) => (isOutput(i) ? 0 : part))]);
}

function matchBranches(input: Json, rest: readonly Json[]): readonly Branch[] {
  const branches: Branch[] = [];
  const all: Json[] = [];
  for (let i = 0; i + 1 < rest.length; i += 2) {
    const label = rest[i] ?? null;
    const labels = Array.isArray(label) ? (label as readonly Json[]) : [label];
    all.push(...labels);
    branches.push({
      filter: isOneOf(input, labels),
      title: labels.map(String).join(', '),
      pick: (expression) => expression[i + 3] ?? null,
    });
  }
  if (rest.length % 2 === 1 && rest.at(-1) !== null)
    branches.push({
      filter: ['!', isOneOf(input, all)],
      title: 'other',
      pick: (expression) => expression.at(-1) ?? null,
    });
  return branches;
}

function isOneOf(input: Json, labels: readonly Json[]): Json {
  const tests: Json[] = labels.map((label) => ['==', input, label]);
  const [only] = tests;
  return tests.length === 1 && only !== undefined ? only : ['any', ...tests];
}

function caseBranches(rest: readonly Json[]): readonly Branch[] {
  const branches: Branch[] = [];
  const before: Json[] = [];
  for (let i = 0; i + 1 < rest.length; i += 2) {
    const condition = modernFilter(rest[i]) as Json;
    const missing = missingColumn(condition);
    branches.push({
      filter: before.length === 0 ? condition : ['all', condition, ...before],
      title: missing === undefined ? describe(condition) : NO_VALUE_TITLE,
      missing,
      pick: (expression) => expression[i + 2] ?? null,
    });
    before.push(['!', condition]);
  }
  // What is left where a value is wanted has none; where none is wanted, it is all the rest.
  const left = rest.length === 3 ? modernFilter(rest[0]) : undefined;
  const missing = valueColumn(left);
  if (rest.length % 2 === 1)
    branches.push({
      filter: before.length === 1 ? (before[0] ?? null) : ['all', ...before],
      title: missing !== undefined ? NO_VALUE_TITLE : missingColumn(left) !== undefined ? '' : 'other',
      missing,
      pick: (expression) => expression.at(-1) ?? null,
    });
  return branches;
}

function stepBranches(input: Json, rest: readonly Json[]): readonly Branch[] {
  const stops: number[] = [];
  for (let i = 1; i < rest.length; i += 2) stops.push(Number(rest[i]));
  const unit = (value: number): string => String(Number(value.toPrecision(12)));
  return [undefined, ...stops].map((low, i) => {
    const high = stops[i];
    const tests: Json[] = [
      ...(low === undefined ? [] : [['>=', input, low] as Json]),
      ...(high === undefined ? [] : [['<', input, high] as Json]),
    ];
    const [only] = tests;
    return {
      filter: tests.length === 1 && only !== undefined ? only : ['all', ...tests],
      title:
        low === undefined
          ? `< ${unit(high ?? 0)}`
          : high === undefined
            ? `≥ ${unit(low)}`
            : `${unit(low)} – ${unit(high)}`,
      pick: (expression: readonly Json[]): Json => expression[2 + i * 2] ?? null,
    };
  });
}

function zoomSteps(rest: readonly Json[]): readonly Branch[] {
  const stops: number[] = [];
  for (let i = 1; i < rest.length; i += 2) stops.push(Number(rest[i]));
  return [undefined, ...stops].map((low, i) => {
    const high = stops[i];
    return {
      ...(low === undefined ? {} : { minzoom: low }),
      ...(high === undefined ? {} : { maxzoom: high }),
      pick: (expression: readonly Json[]): Json => expression[2 + i * 2] ?? null,
    };
  });
}

/** What runs smoothly with the zoom is cut into pieces between the stops, each with the value in its middle. */
function zoomRange(stops: readonly Json[]): readonly Branch[] {
  const zooms: number[] = [];
  for (let i = 0; i < stops.length; i += 2) zooms.push(Number(stops[i]));
  const branches: Branch[] = [];
  for (let i = 0; i <= zooms.length; i++) {
    const [low, high] = [zooms[i - 1], zooms[i]];
    branches.push({
      ...(low === undefined ? {} : { minzoom: low }),
      ...(high === undefined ? {} : { maxzoom: high }),
      pick: (expression) => {
        const at = (stop: number): Json => expression[4 + stop * 2] ?? null;
        if (low === undefined) return at(0);
        if (high === undefined) return at(zooms.length - 1);
        return between(at(i - 1), at(i), 0.5) as Json;
      },
    });
  }
  return branches;
}

function both(a: Json | undefined, b: Json | undefined): Json | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  return ['all', a, b];
}

function later(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.max(a, b);
}

function sooner(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}

/** A condition in few words. */
function describe(condition: Json): string {
  if (!Array.isArray(condition)) return '';
  const [name, a, written] = condition as readonly Json[];
  const b = Array.isArray(written) && written[0] === 'to-number' ? written[1] : written;
  if (isColumn(a) && (typeof b === 'string' || typeof b === 'number' || typeof b === 'boolean'))
    return name === '==' ? String(b) : `${String(a[1])} ${String(name)} ${String(b)}`;
  return '';
}
