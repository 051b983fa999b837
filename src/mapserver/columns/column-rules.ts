// Rules of a layer's columns: what the database's catalogue says of the values that a column takes (type, enum, CHECK, foreign key,
// comment) → what a form asks for and a JSON Schema can say. The database keeps them; a form only tells them beforehand. Pure.

import { parseCheck } from './check-expression.ts';

/** What the catalogue has of one column. */
type RuleRow = {
  readonly column: string;
  /** Of the column, or of what its domain is made of; as format_type prints it. */
  readonly type: string;
  readonly enums: readonly string[] | null;
  readonly comment: string | null;
  /** Where a foreign key of this one column leads. */
  readonly references: Reference | null;
};

/** A constraint of the table, by which the database names what it refuses. */
export type ConstraintRow = {
  readonly name: string;
  /** c: CHECK, p: primary key, u: unique, x: exclusion, f: foreign key. */
  readonly kind: string;
  readonly columns: readonly string[];
  /** The condition of a CHECK; else empty. */
  readonly text: string;
};

export type CatalogueRules = { readonly columns: readonly RuleRow[]; readonly checks: readonly ConstraintRow[] };

/** Another table, its key, and the column by which people know its rows. */
export type Reference = {
  readonly schema: string;
  readonly table: string;
  readonly key: string;
  readonly label: string | null;
};

export type Choice = { readonly value: string | number; readonly label?: string };

export type ColumnRule = {
  readonly choices?: readonly Choice[];
  readonly references?: Reference;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Digits behind the point. */
  readonly decimals?: number;
  /** The comment of the column without what is for forms. */
  readonly comment?: string;
};

export type ColumnRules = ReadonlyMap<string, ColumnRule>;

type Draft = { -readonly [Name in keyof ColumnRule]: ColumnRule[Name] };

export function columnRules({ columns, checks }: CatalogueRules): ColumnRules {
  const rules = new Map<string, Draft>();
  for (const row of columns) rules.set(row.column, ofType(row));
  for (const { text } of checks) {
    for (const rule of parseCheck(text) ?? []) {
      const draft = rules.get(rule.column);
      const row = columns.find(({ column }) => column === rule.column);
      if (draft === undefined || row === undefined) continue;
      switch (rule.kind) {
        case 'choices':
          draft.choices ??= rule.values.map((value) => ({ value: inType(value, row.type) }));
          break;
        case 'minimum':
          narrow(draft, rule.isOpen ? 'exclusiveMinimum' : 'minimum', rule.value, Math.max);
          break;
        case 'maximum':
          narrow(draft, rule.isOpen ? 'exclusiveMaximum' : 'maximum', rule.value, Math.min);
          break;
        case 'min-length':
          narrow(draft, 'minLength', rule.value, Math.max);
          break;
        case 'max-length':
          narrow(draft, 'maxLength', rule.value, Math.min);
      }
    }
  }
  return rules;
}

const WHOLE_ENDS: Readonly<Record<string, readonly [number, number]>> = {
  smallint: [-32_768, 32_767],
  integer: [-2_147_483_648, 2_147_483_647],
};

function ofType({ type, enums, comment, references }: RuleRow): Draft {
  const draft: Draft = {};
  const length = /^(?:character varying|character|bpchar)\((\d+)\)$/.exec(type)?.[1];
  if (length !== undefined) draft.maxLength = Number(length);
  const ends = WHOLE_ENDS[type];
  if (ends !== undefined) [draft.minimum, draft.maximum] = ends;
  const decimals = /^numeric\(\d+,(\d+)\)$/.exec(type)?.[1];
  if (decimals !== undefined) draft.decimals = Number(decimals);
  if (enums !== null) draft.choices = enums.map((value) => ({ value }));
  if (references !== null) draft.references = references;
  readComment(draft, comment ?? '', type);
  return draft;
}

const MARK = '@survest';
const MAX_CHOICES = 500;

/** Lines `@survest choices red = Red | green | blue` and `@survest range 0 to 100` are for forms; the others for people. */
function readComment(draft: Draft, comment: string, type: string): void {
  const kept: string[] = [];
  for (const line of comment.split('\n')) {
    const words = line.trim();
    if (!words.startsWith(`${MARK} `)) {
      kept.push(line);
      continue;
    }
    const said = words.slice(MARK.length).trim();
    const space = said.indexOf(' ');
    const [word, rest] = space < 0 ? [said, ''] : [said.slice(0, space), said.slice(space + 1).trim()];
    if (word === 'choices') draft.choices = choicesIn(rest, type);
    else if (word === 'range') {
      const [from = '', to = ''] = rest.split(' to ').map((end) => end.trim());
      if (isNumber(from)) narrow(draft, 'minimum', Number(from), Math.max);
      if (isNumber(to)) narrow(draft, 'maximum', Number(to), Math.min);
    }
  }
  const text = kept.join('\n').trim();
  if (text !== '') draft.comment = text;
}

function choicesIn(text: string, type: string): readonly Choice[] {
  return text
    .split('|')
    .slice(0, MAX_CHOICES)
    .flatMap((part) => {
      const equals = part.indexOf('=');
      const value = (equals < 0 ? part : part.slice(0, equals)).trim();
      const label = equals < 0 ? '' : part.slice(equals + 1).trim();
      if (value === '') return [];
      return [{ value: inType(value, type), ...(label === '' ? {} : { label }) }];
    });
}

function isNumber(text: string): boolean {
  return text !== '' && Number.isFinite(Number(text));
}

/** A number where the column holds numbers that a client can hold too. */
function inType(text: string, type: string): string | number {
  const isNumeric = /^(?:smallint|integer|bigint|real|double precision|numeric)/.test(type);
  const value = Number(text);
  return isNumeric && isNumber(text) && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : text;
}

type NumberName = 'minimum' | 'exclusiveMinimum' | 'maximum' | 'exclusiveMaximum' | 'minLength' | 'maxLength';

function narrow(draft: Draft, name: NumberName, value: number, of: (a: number, b: number) => number): void {
  const before = draft[name];
  draft[name] = before === undefined ? value : of(before, value);
}
