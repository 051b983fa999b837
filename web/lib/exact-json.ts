// JSON with whole numbers of any length. JavaScript's numbers have 53 bits and a column of type bigint or numeric has more: read as a number, a
// key would name another row, and a value would be written back as another one. Where a browser does not tell what was written, as it was.

type Raw = { readonly rawJSON: string };

/** Of ECMAScript 2025, which the compiler's library does not list yet. */
const Exact = JSON as {
  readonly rawJSON?: (text: string) => Raw;
  readonly isRawJSON?: (value: unknown) => value is Raw;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context?: { readonly source?: string }) => unknown,
  ): unknown;
};

const MAY_BE_LONG = /[\d.]{16}/;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** To be written again as it is: a number that is too long stays what it was for `JSON.stringify`, and is nothing to compute with. */
export function parseToWrite(text: string): unknown {
  const { rawJSON } = Exact;
  if (rawJSON === undefined || !MAY_BE_LONG.test(text)) return JSON.parse(text);
  return Exact.parse(text, (_key, value, context) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && isWhole(context?.source)
      ? rawJSON(context.source)
      : value,
  );
}

const isWhole = (source: string | undefined): source is string => source !== undefined && /^-?\d+$/.test(source);

/** Rows, or features: numbers in their cells that are too long are texts of their digits. */
export function parseRows(text: string): unknown {
  const content = parseToWrite(text);
  if (Exact.isRawJSON === undefined || !MAY_BE_LONG.test(text)) return content;
  if (Array.isArray(content)) return content.map(cells);
  if (!isRecord(content)) return content;
  const { features } = content;
  return Array.isArray(features) ? { ...content, features: features.map(feature) } : feature(content);
}

function feature(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return { ...cells(value), ...('properties' in value ? { properties: cells(value['properties']) } : {}) };
}

function cells(row: unknown): Record<string, unknown> {
  if (!isRecord(row)) return {};
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Exact.isRawJSON?.(value) === true ? value.rawJSON : value]),
  );
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Groups that rows were counted by: their values are read as cells are, and what was counted as numbers to draw. */
export function parseGroups(text: string): unknown {
  const plain: unknown = JSON.parse(text);
  const exact = parseToWrite(text);
  if (!isRecord(plain) || !isRecord(exact)) return plain;
  const [{ groups: listed }, { groups }] = [exact, plain];
  if (!Array.isArray(groups) || !Array.isArray(listed)) return plain;
  const named = groups.map((group: unknown, i) =>
    isRecord(group) && 'value' in group ? { ...group, value: cells(listed[i])['value'] } : group,
  );
  return { ...plain, groups: named };
}

/** What somebody typed, as `JSON.stringify` writes it with all its digits; undefined: it is no number. */
export function typedNumber(text: string): number | string | undefined {
  const numeral = text.trim();
  const number = Number(numeral);
  if (numeral === '' || !Number.isFinite(number)) return undefined;
  return MAY_BE_LONG.test(numeral) && JSON_NUMBER.test(numeral) && String(number) !== numeral ? numeral : number;
}

/** Of `typedNumber`. */
export function writtenNumber(typed: number | string): unknown {
  return typeof typed === 'string' ? (Exact.rawJSON?.(typed) ?? Number(typed)) : typed;
}

/** As people read it; what is no JSON stays as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(parseToWrite(text), null, 2);
  } catch {
    return text;
  }
}
