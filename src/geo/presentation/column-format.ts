// How the values of a column are shown, as it is stored with the layer: a JSON object with a `kind` → `ColumnFormat`. Pure.

/** Undefined members: as is usual for the kind. No format at all: values are shown as they are. */
export type ColumnFormat =
  | { readonly kind: 'number'; readonly decimals?: number; readonly thousands: boolean }
  | { readonly kind: 'currency'; readonly currency: string; readonly decimals?: number }
  /** `of`: what makes a hundred per cent in the data. */
  | { readonly kind: 'percent'; readonly decimals?: number; readonly of: 1 | 100 }
  | { readonly kind: 'date'; readonly length: DateLength; readonly time: boolean }
  /** `text`: what is shown instead of the address; '' for the address. */
  | { readonly kind: 'link'; readonly text: string }
  | { readonly kind: 'picture' }
  | { readonly kind: 'email' };

export type FormatKind = ColumnFormat['kind'];
export const FORMAT_KINDS = ['number', 'currency', 'percent', 'date', 'link', 'picture', 'email'] as const;

type DateLength = (typeof DATE_LENGTHS)[number];
export const DATE_LENGTHS = ['short', 'medium', 'long'] as const;
export const MAX_DECIMALS = 10;
const MAX_LINK_TEXT = 100;

/** What a kind begins with. */
export function newFormat(kind: FormatKind): ColumnFormat {
  switch (kind) {
    case 'number':
      return { kind, thousands: true };
    case 'currency':
      return { kind, currency: 'EUR' };
    case 'percent':
      return { kind, of: 100 };
    case 'date':
      return { kind, length: 'medium', time: false };
    case 'link':
      return { kind, text: '' };
    case 'picture':
    case 'email':
      return { kind };
  }
}

/** Undefined: it is none. Members that it does not know are left out. */
export function parseColumnFormat(value: unknown): ColumnFormat | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const given = value as Readonly<Record<string, unknown>>;
  const { decimals, currency, text } = given;
  const hasDecimals = decimals !== undefined && decimals !== null;
  if (hasDecimals && !isDecimals(decimals)) return undefined;
  const places = hasDecimals ? { decimals } : {};
  switch (given['kind']) {
    case 'number':
      return { kind: 'number', ...places, thousands: given['thousands'] !== false };
    case 'currency':
      return typeof currency === 'string' && isCurrency(currency)
        ? { kind: 'currency', currency, ...places }
        : undefined;
    case 'percent':
      return { kind: 'percent', ...places, of: given['of'] === 1 ? 1 : 100 };
    case 'date': {
      const length = DATE_LENGTHS.find((one) => one === given['length']) ?? 'medium';
      return { kind: 'date', length, time: given['time'] === true };
    }
    case 'link':
      return { kind: 'link', text: typeof text === 'string' ? text.slice(0, MAX_LINK_TEXT) : '' };
    case 'picture':
    case 'email':
      return { kind: given['kind'] };
    default:
      return undefined;
  }
}

/** A code of ISO 4217, by its form: which there are changes. */
export const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text);

function isDecimals(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_DECIMALS;
}
