// The Prefer header, read once; and Preference-Applied, which says what of it counted. In: the header's values, and what
// the configuration and the database allow. Out: one field per preference, the first of a kind counting.

import type { Action } from './action.ts';

export type Preferences = {
  readonly return?: 'representation' | 'minimal' | 'headers-only';
  readonly count?: 'exact' | 'planned' | 'estimated';
  readonly resolution?: 'merge-duplicates' | 'ignore-duplicates';
  readonly missing?: 'default' | 'null';
  /** `missing=` about rows, not columns: those of an update that are not there, children of an upsert that are not named. */
  readonly missingRows?: 'error' | 'delete' | 'keep';
  /** Set only where `db-tx-end` lets the client choose. */
  readonly tx?: 'commit' | 'rollback';
  readonly handling?: 'strict' | 'lenient';
  /** A name of pg_timezone_names. */
  readonly timezone?: string;
  readonly maxAffected?: number;
  /** Of a batch: whether a request that fails undoes the others, too. */
  readonly batch?: 'all' | 'each';
  /** Says why the caller sees what they do; for those whom `db-explain-roles` names. */
  readonly explain?: 'access';
  /** What a read has to see: all that was written before its token, or everything. */
  readonly consistency?: 'session' | 'strong';
  /** Tokens that mean nothing here, as written; an error under handling=strict. */
  readonly invalid: readonly string[];
};

type Draft = { -readonly [Name in keyof Preferences]: Preferences[Name] } & { invalid: string[] };
type WordPreference =
  | 'return'
  | 'count'
  | 'resolution'
  | 'missing'
  | 'tx'
  | 'handling'
  | 'batch'
  | 'explain'
  | 'consistency';

const WORDS: { readonly [Name in WordPreference]: readonly NonNullable<Preferences[Name]>[] } = {
  return: ['representation', 'minimal', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  tx: ['commit', 'rollback'],
  handling: ['strict', 'lenient'],
  batch: ['all', 'each'],
  explain: ['access'],
  consistency: ['session', 'strong'],
};

/** Every token made of a word, to the one field it sets. */
const TOKENS: ReadonlyMap<string, Readonly<Partial<Preferences>>> = new Map(
  Object.entries(WORDS).flatMap(([name, words]) => words.map((word) => [`${name}=${word}`, { [name]: word }] as const)),
);

const MISSING_ROWS: ReadonlyMap<string, Readonly<Partial<Preferences>>> = new Map(
  (['error', 'delete', 'keep'] as const).map((missingRows) => [`missing=${missingRows}`, { missingRows }]),
);

const TIMEZONE = 'timezone=';
const MAX_AFFECTED = 'max-affected=';
const WHOLE_NUMBER = /^-?[0-9]{1,15}$/;

const NONE: Preferences = { invalid: [] };

export type PreferenceRules = {
  /** `db-tx-end` ends in `-allow-override`. */
  readonly txAllowed: boolean;
  readonly timezones: ReadonlySet<string>;
};

export function parsePreferences(headerValues: readonly string[], rules: PreferenceRules): Preferences {
  if (headerValues.length === 0) return NONE;
  const draft: Draft = { invalid: [] };
  let timezoneSeen = false;
  let maxAffectedSeen = false;
  for (const header of headerValues) {
    for (const part of header.split(',')) {
      const token = part.trim();
      if (token === '') continue;
      const known = TOKENS.get(token) ?? MISSING_ROWS.get(token);
      if (known !== undefined) {
        // A tx that is not allowed is ignored, not wrong. What is set already stays: the first of a kind counts.
        if (known.tx === undefined || rules.txAllowed) Object.assign(draft, { ...known, ...draft });
      } else if (token.startsWith(TIMEZONE)) {
        const timezone = token.slice(TIMEZONE.length);
        const exists = rules.timezones.has(timezone);
        if (exists && !timezoneSeen) draft.timezone = timezone;
        if (!exists) draft.invalid.push(token);
        timezoneSeen = true;
      } else if (token.startsWith(MAX_AFFECTED)) {
        const count = token.slice(MAX_AFFECTED.length);
        if (!maxAffectedSeen && WHOLE_NUMBER.test(count)) draft.maxAffected = Number(count);
        maxAffectedSeen = true;
      } else {
        draft.invalid.push(token);
      }
    }
  }
  return draft;
}

type Echoed = WordPreference | 'timezone' | 'maxAffected' | 'missingRows';

/** What each action answers to, in the order it is echoed. */
const ECHOED: { readonly [Kind in Action['kind']]: readonly Echoed[] } = {
  read: ['count', 'tx', 'handling', 'timezone', 'consistency'],
  insert: ['resolution', 'missing', 'missingRows', 'return', 'count', 'tx', 'handling', 'timezone', 'consistency'],
  update: ['missing', 'missingRows', 'return', 'count', 'tx', 'handling', 'timezone', 'consistency', 'maxAffected'],
  'upsert-one': ['return', 'count', 'tx', 'handling', 'timezone', 'consistency'],
  delete: ['return', 'count', 'tx', 'handling', 'timezone', 'consistency', 'maxAffected'],
  call: ['count', 'tx', 'handling', 'timezone', 'consistency', 'maxAffected'],
  describe: [],
  info: [],
};

const ECHOED_AS: ReadonlyMap<Echoed, string> = new Map([
  ['maxAffected', 'max-affected'],
  ['missingRows', 'missing'],
]);

/**
 * The value of Preference-Applied, undefined when nothing applied.
 * `resolutionApplies`: there was something to conflict with, a primary key or on_conflict.
 */
export function preferenceApplied(
  preferences: Preferences,
  action: Action['kind'],
  { resolutionApplies }: { readonly resolutionApplies: boolean },
): string | undefined {
  const applied: string[] = [];
  for (const name of ECHOED[action]) {
    const value = preferences[name];
    if (value === undefined) continue;
    if (name === 'resolution' && !resolutionApplies) continue;
    if (name === 'maxAffected' && preferences.handling !== 'strict') continue;
    applied.push(`${ECHOED_AS.get(name) ?? name}=${value}`);
  }
  return applied.length > 0 ? applied.join(', ') : undefined;
}
