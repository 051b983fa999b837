// Style layers → functions that say, for a feature, how it is drawn. A property that fails on a feature has its default.

import { parseColor, type Rgba } from '../../geo/style/color.ts';
import { type Compiled, compileExpression, compileFilter, type Scope } from '../../geo/style/expression.ts';
import { type Group, groupOf } from '../../geo/style/group.ts';
import {
  isPlainList,
  type Json,
  MARKS,
  type Mark,
  METADATA,
  PROPERTIES,
  type StyleLayer,
} from '../../geo/style/style-layer.ts';
import { isExactNumber } from '../../kernel/long-number.ts';

export type { Scope } from '../../geo/style/expression.ts';

type Of<T> = (scope: Scope) => T;

type Common = {
  readonly id: string;
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly filter: Of<boolean>;
  /** What is drawn are groups of the features; undefined: the features. */
  readonly group: Group | undefined;
};

export type FillLayer = Common & {
  readonly type: 'fill';
  readonly color: Of<Paint>;
  readonly outline: Of<Paint> | undefined;
};
export type LineLayer = Common & {
  readonly type: 'line';
  readonly color: Of<Paint>;
  readonly width: Of<number>;
  readonly offset: Of<number>;
  /** In widths of the line. */
  readonly dashes: Of<readonly number[]>;
  readonly cap: Of<string>;
  readonly join: Of<string>;
};
export type CircleLayer = Common & {
  readonly type: 'circle';
  readonly mark: Mark;
  readonly color: Of<Paint>;
  readonly radius: Of<number>;
  readonly strokeColor: Of<Paint>;
  readonly strokeWidth: Of<number>;
};
export type HeatLayer = Common & {
  readonly type: 'heatmap';
  /** Of a density, which the scope has. */
  readonly color: Of<Paint>;
  readonly intensity: Of<number>;
  readonly opacity: Of<number>;
  readonly radius: Of<number>;
  readonly weight: Of<number>;
};
export type SymbolLayer = Common & {
  readonly type: 'symbol';
  readonly text: Of<string>;
  readonly size: Of<number>;
  readonly color: Of<Paint>;
  readonly haloColor: Of<Paint>;
  readonly haloWidth: Of<number>;
  readonly anchor: Of<string>;
  readonly offset: Of<readonly number[]>;
  readonly rotate: Of<number>;
  readonly fonts: Of<readonly string[]>;
  readonly alongLine: Of<boolean>;
  readonly overlaps: Of<boolean>;
};
export type RasterPaint = Common & {
  readonly type: 'raster';
  readonly opacity: Of<number>;
  readonly style: StyleLayer;
};

export type DrawLayer = FillLayer | LineLayer | CircleLayer | HeatLayer | SymbolLayer | RasterPaint;

/** A colour with its opacity, as the canvas takes it; undefined: nothing is to be seen. */
export type Paint = string | undefined;

export type CompiledStyle = {
  readonly layers: readonly DrawLayer[];
  /** Columns that are needed to draw. */
  readonly columns: ReadonlySet<string>;
  /** How far, in pixels, a symbol can reach from where its feature is. */
  readonly reach: number;
};

const MAX_REACH = 256;
/** Where a style has no colours for a heatmap. */
const HEAT = 'rgba(0,0,0,0)';

/** The style is one that `parseStyle` let through. */
export function compileStyle(style: readonly StyleLayer[]): CompiledStyle {
  const columns = new Set<string>();
  let reach = 2;
  const layers: DrawLayer[] = [];
  for (const layer of style) {
    if (layer.layout?.['visibility'] === 'none') continue;
    const compiled = compileLayer(layer, columns);
    if (compiled === undefined) continue;
    layers.push(compiled);
    reach = Math.max(reach, reachOf(layer));
  }
  return { layers, columns, reach: Math.min(MAX_REACH, reach) };
}

function compileLayer(layer: StyleLayer, columns: Set<string>): DrawLayer | undefined {
  const value = (name: string): Compiled | undefined => {
    const raw: Json | undefined = layer.paint?.[name] ?? layer.layout?.[name];
    if (raw === undefined || raw === null) return undefined;
    const plain = isPlainList(PROPERTIES[name] ?? 'text', raw) ? (['literal', raw] as const) : raw;
    const compiled = compileExpression(plain);
    if (!compiled.ok) return undefined;
    for (const column of compiled.value.columns) columns.add(column);
    return compiled.value;
  };
  const number = (name: string, otherwise: number): Of<number> =>
    of(
      value(name),
      (found) => (isExactNumber(found) && Number.isFinite(Number(found)) ? Number(found) : otherwise),
      otherwise,
    );
  const word = (name: string, otherwise: string): Of<string> =>
    of(value(name), (found) => (typeof found === 'string' ? found : otherwise), otherwise);
  const color = (name: string, opacity: string, otherwise: string): Of<Paint> =>
    colorOf(value(name), opacity === '' ? undefined : value(opacity), otherwise);
  const filter = compileFilter(layer.filter ?? true);
  if (!filter.ok) return undefined;
  for (const column of filter.value.columns) columns.add(column);
  const test = filter.value.run;
  const common: Common = {
    id: layer.id,
    minzoom: layer.minzoom ?? Number.NEGATIVE_INFINITY,
    maxzoom: layer.maxzoom ?? Number.POSITIVE_INFINITY,
    filter: layer.filter === undefined ? () => true : (scope) => test(scope) === true,
    group: groupOf(layer),
  };
  switch (layer.type) {
    case 'fill':
      return {
        ...common,
        type: 'fill',
        color: color('fill-color', 'fill-opacity', '#000000'),
        outline:
          layer.paint?.['fill-outline-color'] === undefined
            ? undefined
            : color('fill-outline-color', 'fill-opacity', '#000000'),
      };
    case 'line':
      return {
        ...common,
        type: 'line',
        color: color('line-color', 'line-opacity', '#000000'),
        width: number('line-width', 1),
        offset: number('line-offset', 0),
        dashes: numbers(value('line-dasharray'), []),
        cap: word('line-cap', 'butt'),
        join: word('line-join', 'miter'),
      };
    case 'circle':
      return {
        ...common,
        type: 'circle',
        mark: MARKS.find((mark) => mark === layer.metadata?.[METADATA.mark]) ?? 'circle',
        color: color('circle-color', 'circle-opacity', '#000000'),
        radius: number('circle-radius', 5),
        strokeColor: color('circle-stroke-color', 'circle-stroke-opacity', '#000000'),
        strokeWidth: number('circle-stroke-width', 0),
      };
    case 'heatmap':
      return {
        ...common,
        type: 'heatmap',
        color: color('heatmap-color', '', HEAT),
        intensity: number('heatmap-intensity', 1),
        opacity: number('heatmap-opacity', 1),
        radius: number('heatmap-radius', 30),
        weight: number('heatmap-weight', 1),
      };
    case 'symbol':
      return {
        ...common,
        type: 'symbol',
        text: textOf(layer.layout?.['text-field'], value('text-field'), columns),
        size: number('text-size', 16),
        color: color('text-color', 'text-opacity', '#000000'),
        haloColor: color('text-halo-color', '', 'rgba(0,0,0,0)'),
        haloWidth: number('text-halo-width', 0),
        anchor: word('text-anchor', 'center'),
        offset: numbers(value('text-offset'), [0, 0]),
        rotate: number('text-rotate', 0),
        fonts: of(value('text-font'), (found) => (isWords(found) ? found : []), []),
        alongLine: of(value('symbol-placement'), (found) => found === 'line' || found === 'line-center', false),
        overlaps: of(value('text-allow-overlap'), (found) => found === true, false),
      };
    case 'raster':
      return { ...common, type: 'raster', opacity: number('raster-opacity', 1), style: layer };
  }
}

function of<T>(compiled: Compiled | undefined, check: (found: unknown) => T, otherwise: T): Of<T> {
  if (compiled === undefined) return () => otherwise;
  const { run } = compiled;
  if (compiled.isConstant) {
    const constant = check(run({ properties: {}, geometry: 'Point', zoom: 0 }));
    return () => constant;
  }
  return (scope) => check(run(scope));
}

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function numbers(compiled: Compiled | undefined, otherwise: readonly number[]): Of<readonly number[]> {
  return of(
    compiled,
    (found) =>
      Array.isArray(found) && found.every((one) => typeof one === 'number') ? (found as number[]) : otherwise,
    otherwise,
  );
}

/** Opacity 0–1 on top of a colour, by the text of both: features of one class share one entry. */
function colorOf(color: Compiled | undefined, opacity: Compiled | undefined, otherwise: string): Of<Paint> {
  const known = new Map<string, Paint>();
  const fallback = parseColor(otherwise) ?? [0, 0, 0, 1];
  const paint = (name: unknown, shown: unknown): Paint => {
    const alpha = typeof shown === 'number' ? Math.min(1, Math.max(0, shown)) : 1;
    const key = `${String(name)} ${alpha}`;
    if (known.has(key)) return known.get(key);
    const [red, green, blue, own]: Rgba = (typeof name === 'string' ? parseColor(name) : undefined) ?? fallback;
    const made =
      own * alpha <= 0 ? undefined : `rgba(${Math.round(red)},${Math.round(green)},${Math.round(blue)},${own * alpha})`;
    if (known.size < 10_000) known.set(key, made);
    return made;
  };
  if ((color === undefined || color.isConstant) && (opacity === undefined || opacity.isConstant)) {
    const nowhere: Scope = { properties: {}, geometry: 'Point', zoom: 0 };
    const constant = paint(color?.run(nowhere), opacity?.run(nowhere));
    return () => constant;
  }
  return (scope) => paint(color?.run(scope), opacity?.run(scope));
}

/** The older form names columns in braces: `{name} ({iso})`. */
function textOf(raw: Json | undefined, compiled: Compiled | undefined, columns: Set<string>): Of<string> {
  if (typeof raw === 'string' && /\{[^{}]+\}/.test(raw)) {
    const parts = raw.split(/(\{[^{}]+\})/);
    const names = parts.filter((_, i) => i % 2 === 1).map((part) => part.slice(1, -1));
    for (const name of names) columns.add(name);
    return ({ properties }) =>
      parts.map((part, i) => (i % 2 === 1 ? String(properties[part.slice(1, -1)] ?? '') : part)).join('');
  }
  return of(compiled, (found) => (found === undefined || found === null ? '' : String(found)), '');
}

/** By what the style says plainly; where it follows the data, a guess. */
function reachOf(layer: StyleLayer): number {
  const number = (name: string, otherwise: number): number => {
    const value = layer.paint?.[name] ?? layer.layout?.[name];
    return value === undefined ? otherwise : typeof value === 'number' ? value : 32;
  };
  switch (layer.type) {
    case 'fill':
      return 1;
    case 'line':
      return number('line-width', 1) + Math.abs(number('line-offset', 0));
    case 'circle':
      return number('circle-radius', 5) + number('circle-stroke-width', 0);
    case 'heatmap':
      return number('heatmap-radius', 30);
    case 'symbol':
      return number('text-size', 16) * 8;
    case 'raster':
      return 0;
  }
}
