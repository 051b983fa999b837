// An edit session: features of one layer that somebody changes, as they were read and as they are to be, with undo and redo. A reducer
// over immutable states; what saving brought (failures, conflicts) stands on the feature it belongs to. Pure.

import type { Geometry } from 'geojson';
import type { Failure } from '../../api/failure.ts';

export type Values = Readonly<Record<string, unknown>>;

/** As the portal has it, with the tag by which a change says what it was made from. */
export type StoredFeature = {
  readonly id: string | number;
  readonly tag: string;
  readonly geometry: Geometry | null;
  readonly properties: Values;
};

export type EditFeature = {
  /** Names it in this session: `f` and the id, `n` and a number for a new one. */
  readonly key: string;
  /** Undefined: it is new. */
  readonly stored: StoredFeature | undefined;
  readonly geometry: Geometry | null;
  /** Fields that were touched, and no others. */
  readonly changes: Values;
  readonly isDeleted: boolean;
};

/** What became of the last attempt to save a feature. */
export type Trouble =
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** Somebody else changed it; undefined: it is gone. */
  | { readonly kind: 'conflict'; readonly theirs: StoredFeature | undefined };

/** A state that one can go back to. */
type Step = Pick<EditSession, 'features' | 'selected'>;

export type EditSession = {
  readonly features: readonly EditFeature[];
  readonly selected: readonly string[];
  readonly past: readonly Step[];
  readonly future: readonly Step[];
  readonly troubles: ReadonlyMap<string, Trouble>;
  readonly made: number;
  /** The field that was filled last, where nothing else was done since: what is typed letter by letter is one step. */
  readonly filling: string | undefined;
};

export const NO_EDITS: EditSession = {
  features: [],
  selected: [],
  past: [],
  future: [],
  troubles: new Map(),
  made: 0,
  filling: undefined,
};

export type EditAction =
  /** A feature was read; `isAlso`: beside those that are selected. */
  | { readonly kind: 'open'; readonly feature: StoredFeature; readonly isAlso: boolean }
  | { readonly kind: 'select'; readonly keys: readonly string[] }
  | { readonly kind: 'draw'; readonly geometry: Geometry | null; readonly changes?: Values }
  | { readonly kind: 'shape'; readonly key: string; readonly geometry: Geometry | null }
  | { readonly kind: 'fill'; readonly keys: readonly string[]; readonly changes: Values }
  | { readonly kind: 'delete'; readonly keys: readonly string[] }
  /** The feature becomes the first piece, the others are new ones with its values. */
  | {
      readonly kind: 'split';
      readonly key: string;
      readonly pieces: readonly Geometry[];
      readonly readOnly: readonly string[];
    }
  /** The first becomes all of them, the others go. */
  | { readonly kind: 'merge'; readonly keys: readonly string[]; readonly geometry: Geometry }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }
  | { readonly kind: 'discard'; readonly keys: readonly string[] }
  | { readonly kind: 'saved'; readonly key: string }
  | { readonly kind: 'trouble'; readonly key: string; readonly trouble: Trouble }
  /** Mine is to stay: it is made from their state now. */
  | { readonly kind: 'keep-mine'; readonly key: string }
  /** The session is over. */
  | { readonly kind: 'end' };

/** Steps that can be taken back. */
const MAX_STEPS = 200;

export function changeEdits(before: EditSession, action: EditAction): EditSession {
  const filling = action.kind === 'fill' ? [...action.keys, ...Object.keys(action.changes)].join(' ') : undefined;
  const after = applied(before, action);
  if (filling === undefined || filling !== before.filling) return { ...after, filling };
  return { ...after, filling, past: before.past };
}

function applied(session: EditSession, action: EditAction): EditSession {
  switch (action.kind) {
    case 'end':
      return NO_EDITS;
    case 'open': {
      const { feature, isAlso } = action;
      const key = keyOf(feature.id);
      const selected = isAlso ? [...session.selected.filter((one) => one !== key), key] : [key];
      // One that is being changed stays as it is.
      if (session.features.some((one) => one.key === key)) return { ...session, selected };
      const opened: EditFeature = { key, stored: feature, geometry: feature.geometry, changes: {}, isDeleted: false };
      const kept = session.features.filter((one) => isChanged(one) || selected.includes(one.key));
      return { ...session, features: [...kept, opened], selected };
    }
    case 'select':
      return { ...session, selected: action.keys };
    case 'draw': {
      const key = `n${session.made + 1}`;
      const drawn: EditFeature = {
        key,
        stored: undefined,
        geometry: action.geometry,
        changes: action.changes ?? {},
        isDeleted: false,
      };
      return { ...stepped(session, [...session.features, drawn]), selected: [key], made: session.made + 1 };
    }
    case 'shape':
      return stepped(
        session,
        each(session, [action.key], (one) => ({ ...one, geometry: action.geometry })),
      );
    case 'fill':
      return stepped(
        session,
        each(session, action.keys, (one) => ({ ...one, changes: touched(one, { ...one.changes, ...action.changes }) })),
      );
    case 'delete': {
      const left = session.features.filter((one) => one.stored !== undefined || !action.keys.includes(one.key));
      const deleted = left.map((one) => (action.keys.includes(one.key) ? { ...one, isDeleted: true } : one));
      return { ...stepped(session, deleted), selected: session.selected.filter((key) => !action.keys.includes(key)) };
    }
    case 'split': {
      const whole = session.features.find(({ key }) => key === action.key);
      const [first, ...others] = action.pieces;
      if (whole === undefined || first === undefined) return session;
      const values = Object.entries({ ...whole.stored?.properties, ...whole.changes });
      const copied = Object.fromEntries(values.filter(([name]) => !action.readOnly.includes(name)));
      const pieces = others.map(
        (geometry, i): EditFeature => ({
          key: `n${session.made + 1 + i}`,
          stored: undefined,
          geometry,
          changes: copied,
          isDeleted: false,
        }),
      );
      const cut = each(session, [action.key], (one) => ({ ...one, geometry: first }));
      return {
        ...stepped(session, [...cut, ...pieces]),
        selected: [action.key, ...pieces.map(({ key }) => key)],
        made: session.made + pieces.length,
      };
    }
    case 'merge': {
      const [first, ...others] = action.keys;
      if (first === undefined) return session;
      const merged = each(session, [first], (one) => ({ ...one, geometry: action.geometry }));
      const next = applied({ ...session, features: merged }, { kind: 'delete', keys: others });
      return { ...stepped(session, next.features), selected: [first] };
    }
    case 'undo': {
      const before = session.past.at(-1);
      if (before === undefined) return session;
      return among({
        ...session,
        ...before,
        past: session.past.slice(0, -1),
        future: [stepOf(session), ...session.future],
      });
    }
    case 'redo': {
      const [after, ...future] = session.future;
      if (after === undefined) return session;
      return among({ ...session, ...after, past: [...session.past, stepOf(session)], future });
    }
    case 'discard':
    case 'saved': {
      const gone = action.kind === 'saved' ? [action.key] : action.keys;
      // What is written, or given up, cannot be taken back here: its states are no longer those of the portal.
      return among({
        ...session,
        features: session.features.filter(({ key }) => !gone.includes(key)),
        past: [],
        future: [],
      });
    }
    case 'trouble':
      return { ...session, troubles: new Map(session.troubles).set(action.key, action.trouble) };
    case 'keep-mine': {
      const trouble = session.troubles.get(action.key);
      if (trouble?.kind !== 'conflict') return session;
      const { theirs } = trouble;
      const rebased = each(session, [action.key], (one) => {
        if (theirs !== undefined) return { ...one, stored: theirs };
        // It is gone: what is left of it is a new one.
        return { ...one, stored: undefined, changes: { ...one.stored?.properties, ...one.changes } };
      });
      return among({
        ...session,
        features: rebased,
        past: [],
        future: [],
        troubles: without(session.troubles, action.key),
      });
    }
  }
}

export function keyOf(id: string | number): string {
  return `f${id}`;
}

export function isChanged({ stored, geometry, changes, isDeleted }: EditFeature): boolean {
  return stored === undefined || isDeleted || geometry !== stored.geometry || Object.keys(changes).length > 0;
}

export function hasNewShape({ stored, geometry }: EditFeature): boolean {
  return stored === undefined || geometry !== stored.geometry;
}

export function unsavedOf({ features }: EditSession): readonly EditFeature[] {
  return features.filter(isChanged);
}

/** A value as it is to be. */
export function fieldNow({ stored, changes }: EditFeature, field: string): unknown {
  return Object.hasOwn(changes, field) ? changes[field] : stored?.properties[field];
}

function stepOf({ features, selected }: EditSession): Step {
  return { features, selected };
}

function stepped(session: EditSession, features: readonly EditFeature[]): EditSession {
  const changed = features.filter((one) => !session.features.includes(one)).map(({ key }) => key);
  return {
    ...session,
    features,
    past: [...session.past, stepOf(session)].slice(-MAX_STEPS),
    future: [],
    troubles: without(session.troubles, ...changed.filter((key) => session.troubles.get(key)?.kind === 'failed')),
  };
}

/** Only features that are there are selected or in trouble. */
function among(session: EditSession): EditSession {
  const keys = new Set(session.features.filter((one) => !one.isDeleted).map(({ key }) => key));
  const all = new Set(session.features.map(({ key }) => key));
  return {
    ...session,
    selected: session.selected.filter((key) => keys.has(key)),
    troubles: new Map([...session.troubles].filter(([key]) => all.has(key))),
  };
}

function each(
  { features }: EditSession,
  keys: readonly string[],
  to: (one: EditFeature) => EditFeature,
): readonly EditFeature[] {
  return features.map((one) => (keys.includes(one.key) ? to(one) : one));
}

/** A value that is again what it was is not touched. */
function touched({ stored }: EditFeature, changes: Values): Values {
  if (stored === undefined) return changes;
  return Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => !isSame(value, stored.properties[name] ?? null)),
  );
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

function without(troubles: EditSession['troubles'], ...keys: readonly string[]): EditSession['troubles'] {
  return new Map([...troubles].filter(([key]) => !keys.includes(key)));
}
