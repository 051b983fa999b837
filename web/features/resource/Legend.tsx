// The legend of a layer, from the style it is drawn with.

import { Fragment } from 'react';
import { isMissingValues, missingPath, occurring } from '../../api/missing-values.ts';
import type { Layer } from '../../api/types.ts';
import { useLoadedFor } from '../../api/use-loaded.ts';
import { dataNumber } from '../../lib/data-number.ts';
import { type Text, useText } from '../../lib/i18n/text.ts';
import {
  FEW,
  isFaintSign,
  type LegendEntry,
  MANY,
  type MapSymbol,
  NO_VALUE_LABEL,
  OTHERS,
  signDashes,
} from '../../lib/legend.ts';
import './legend.css';

export function Legend({
  entries: all,
  layer,
  title,
  names,
}: {
  readonly entries: readonly LegendEntry[];
  /** Whose legend it is, as its services call it: they know whether features have no value. Undefined: none asks. */
  readonly layer?: string | undefined;
  readonly title: string;
  /** What people call the attributes. */
  readonly names?: ReadonlyMap<string, string>;
}) {
  const t = useText();
  const path = layer === undefined ? undefined : missingPath(layer, all);
  const [loaded] = useLoadedFor(isMissingValues, path);
  const entries = occurring(all, loaded.kind === 'loaded' && path !== undefined ? loaded.value : undefined);
  return (
    <ul className="legend">
      {entries.map((entry, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no names, and an order that means something.
        <Fragment key={`${i} ${entry.label}`}>
          {entry.attribute !== undefined && entry.attribute !== entries[i - 1]?.attribute && (
            <li className="legend-attribute">{legendHeading(entry, names, t)}</li>
          )}
          <li>
            <Sign symbol={entry.symbol} />
            <span>{legendLabel(labelOf(entry, title, entries.length), t)}</span>
          </li>
        </Fragment>
      ))}
    </ul>
  );
}

/** What the classes are of. */
export function legendHeading(
  { attribute = '', of }: Pick<LegendEntry, 'attribute' | 'of'>,
  names: ReadonlyMap<string, string> | undefined,
  t: Text,
): string {
  const name = names?.get(attribute) ?? attribute;
  switch (of) {
    case undefined:
      return name;
    case 'count':
      return t('legend.count');
    case 'sum':
      return t('legend.sum', { name });
    case 'mean':
      return t('legend.mean', { name });
  }
}

/** What people call the attributes of a layer. */
export function attributeNames({ attribute_set }: Pick<Layer, 'attribute_set'>): ReadonlyMap<string, string> {
  return new Map(attribute_set.map((one) => [one.attribute, one.attribute_label ?? one.attribute]));
}

function labelOf(entry: LegendEntry, title: string, n: number): string {
  return entry.label === '' ? (n === 1 ? title : '') : entry.label;
}

/** Limits of classes in the reader's way of writing numbers, and a word for what no class is for. */
export function legendLabel(label: string, t: Text): string {
  if (label === OTHERS) return t('attributes.other');
  if (label === NO_VALUE_LABEL) return t('legend.no-value');
  if (label === FEW) return t('legend.few');
  if (label === MANY) return t('legend.many');
  const band = /^band (\d{1,4})$/.exec(label)?.[1];
  if (band !== undefined) return t('raster.band-n', { n: band });
  return /^[<≤>≥≠–\s\d.-]+$/.test(label) && /[<≤>≥≠–]/.test(label)
    ? label.replace(/-?\d+(?:\.\d+)?/g, (digits) => dataNumber(t, Number(digits), undefined, 3))
    : label;
}

/** Of the line in the sign of a line. */
const SIGN_LENGTH = 28;

function Sign({ symbol }: { readonly symbol: MapSymbol }) {
  const { shape, colour, outline, size, path, opacity = 1, outlineOpacity = 1, isSized = false, dash } = symbol;
  const radius = Math.min(9, Math.max(isSized ? 2 : 6, size ?? 5));
  const width = Math.min(5, Math.max(1.5, size ?? 2));
  const edge = outline === undefined ? {} : { stroke: outline, strokeOpacity: outlineOpacity, strokeWidth: 1.5 };
  const hairline = hairlineOf(symbol);
  const round = Math.min(8, Math.max(isSized ? 1 : 3, size ?? 5));
  return (
    <svg viewBox="0 0 28 20" aria-hidden="true" focusable="false">
      {/* What shows through is the land of the map, as it does there. */}
      <rect className="legend-land" width="28" height="20" rx="2" />
      {shape === 'fill' && (
        <rect x="2" y="2" width="24" height="16" rx="2" fill={colour} fillOpacity={opacity} {...edge} />
      )}
      {hairline !== undefined && shape === 'line' && <path className={hairline} d={LINE} strokeWidth={width + 2} />}
      {shape === 'line' && (
        <path
          d={LINE}
          fill="none"
          stroke={colour}
          strokeOpacity={opacity}
          strokeWidth={width}
          strokeLinecap={dash === undefined ? 'round' : 'butt'}
          strokeDasharray={dash === undefined ? undefined : signDashes(dash, width, SIGN_LENGTH).join(' ')}
        />
      )}
      {path !== undefined && (
        <path
          transform={`translate(${14 - radius} ${10 - radius}) scale(${radius / 12})`}
          d={path}
          fill={colour}
          fillOpacity={opacity}
          fillRule="evenodd"
        />
      )}
      {shape === 'circle' && path === undefined && (
        <circle cx="14" cy="10" r={round} fill={colour} fillOpacity={opacity} {...edge} />
      )}
      {hairline !== undefined && shape === 'fill' && (
        <rect className={hairline} x="1" y="1" width="26" height="18" rx="3" />
      )}
      {hairline !== undefined && shape === 'circle' && (
        <circle className={hairline} cx="14" cy="10" r={path === undefined ? round + 1 : radius} />
      )}
    </svg>
  );
}

const LINE = 'M2 15C9 3 17 18 26 6';
/** Of the map's land, in light and in dark: `--map-land`. */
const LANDS = { light: '#f7f4ec', dark: '#1a2422' } as const;

/** What the map shows as it is nearly the colour of the land has a quiet outline here, so that it is seen as a sign. */
function hairlineOf(symbol: MapSymbol): string | undefined {
  const [inLight, inDark] = [isFaintSign(symbol, LANDS.light), isFaintSign(symbol, LANDS.dark)];
  if (!inLight && !inDark) return undefined;
  return ['legend-hairline', ...(inLight ? ['in-light'] : []), ...(inDark ? ['in-dark'] : [])].join(' ');
}
