import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from './action.ts';
import { type PreferenceRules, type Preferences, parsePreferences, preferenceApplied } from './preferences.ts';

const rules: PreferenceRules = { txAllowed: true, timezones: new Set(['UTC', 'America/Los_Angeles']) };
const parse = (...headers: string[]) => parsePreferences(headers, rules);

describe('Prefer', () => {
  test.each<[string[], Omit<Preferences, 'invalid'>]>([
    [[], {}],
    [[''], {}],
    [['return=representation'], { return: 'representation' }],
    [['return=minimal, count=exact'], { return: 'minimal', count: 'exact' }],
    [['return=headers-only', 'count=planned'], { return: 'headers-only', count: 'planned' }],
    [['  resolution=merge-duplicates ,missing=default  '], { resolution: 'merge-duplicates', missing: 'default' }],
    [['resolution=ignore-duplicates,,missing=null,'], { resolution: 'ignore-duplicates', missing: 'null' }],
    [['tx=rollback'], { tx: 'rollback' }],
    [['handling=strict, max-affected=10'], { handling: 'strict', maxAffected: 10 }],
    [['handling=lenient'], { handling: 'lenient' }],
    [['timezone=America/Los_Angeles'], { timezone: 'America/Los_Angeles' }],
    [['count=estimated'], { count: 'estimated' }],
    // the first of a kind counts
    [['count=exact, count=planned', 'count=estimated'], { count: 'exact' }],
    [['timezone=UTC, timezone=America/Los_Angeles'], { timezone: 'UTC' }],
    [['max-affected=1, max-affected=2'], { maxAffected: 1 }],
    [['max-affected=-1'], { maxAffected: -1 }],
    // malformed, but not invalid
    [['max-affected=x'], {}],
    [['max-affected='], {}],
    [['max-affected=x, max-affected=2'], {}],
  ])('%j', (headers, preferences) => {
    expect(parse(...headers)).toEqual({ ...preferences, invalid: [] });
  });

  test.each([
    ['count=none', ['count=none']],
    ['params=single-object', ['params=single-object']],
    ['Return=minimal', ['Return=minimal']],
    ['return = minimal', ['return = minimal']],
    ['return=minimal;x=1', ['return=minimal;x=1']],
    ['a, count=exact, b', ['a', 'b']],
    ['timezone=Mars/Base', ['timezone=Mars/Base']],
    ['timezone=utc', ['timezone=utc']],
    ['__proto__', ['__proto__']],
    ['invalid=x', ['invalid=x']],
  ])('%j has tokens that mean nothing', (header, invalid) => {
    expect(parse(header).invalid).toEqual(invalid);
  });

  test('a first timezone that does not exist leaves none', () => {
    expect(parse('timezone=Mars, timezone=UTC')).toEqual({ invalid: ['timezone=Mars'] });
  });

  test('tx is ignored, and not invalid, where the client may not choose', () => {
    expect(parsePreferences(['tx=rollback, count=exact'], { ...rules, txAllowed: false })).toEqual({
      count: 'exact',
      invalid: [],
    });
  });

  test('no header throws or sets what it may not', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (headers) => {
        const { invalid, ...rest } = parsePreferences(headers, { ...rules, txAllowed: false });
        expect(Array.isArray(invalid)).toBe(true);
        expect(rest).not.toHaveProperty('tx');
      }),
    );
  });
});

describe('Preference-Applied', () => {
  const all = parse(
    'max-affected=5, timezone=UTC, handling=strict, tx=commit, count=exact, return=minimal, missing=default, resolution=merge-duplicates',
  );
  test.each<[Action['kind'], string | undefined]>([
    ['read', 'count=exact, tx=commit, handling=strict, timezone=UTC'],
    [
      'insert',
      'resolution=merge-duplicates, missing=default, return=minimal, count=exact, tx=commit, handling=strict, timezone=UTC',
    ],
    [
      'update',
      'missing=default, return=minimal, count=exact, tx=commit, handling=strict, timezone=UTC, max-affected=5',
    ],
    ['upsert-one', 'return=minimal, count=exact, tx=commit, handling=strict, timezone=UTC'],
    ['delete', 'return=minimal, count=exact, tx=commit, handling=strict, timezone=UTC, max-affected=5'],
    ['call', 'count=exact, tx=commit, handling=strict, timezone=UTC, max-affected=5'],
    ['describe', undefined],
    ['info', undefined],
  ])('%s', (action, header) => {
    expect(preferenceApplied(all, action, { resolutionApplies: true })).toBe(header);
  });

  test('a resolution with nothing to conflict with is not echoed', () => {
    const asked = parse('resolution=merge-duplicates, return=minimal');
    expect(preferenceApplied(asked, 'insert', { resolutionApplies: false })).toBe('return=minimal');
  });

  test('max-affected is echoed only under strict handling', () => {
    expect(preferenceApplied(parse('max-affected=5'), 'delete', { resolutionApplies: false })).toBeUndefined();
    const lenient = parse('handling=lenient, max-affected=5');
    expect(preferenceApplied(lenient, 'delete', { resolutionApplies: false })).toBe('handling=lenient');
    const zero = parse('handling=strict, max-affected=0');
    expect(preferenceApplied(zero, 'delete', { resolutionApplies: false })).toBe('handling=strict, max-affected=0');
  });
});
