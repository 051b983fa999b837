import { describe, expect, test } from 'vitest';
import { personOf } from './person.ts';

describe('a person of a provider', () => {
  test('has the names that an account can have', () => {
    expect(
      personOf(
        {
          sub: '7',
          preferred_username: 'Ada Lovelace <script>',
          email: 'ada@example.org',
          email_verified: true,
          given_name: 'Ada\u0000',
        },
        undefined,
        [],
      ),
    ).toEqual({
      subject: '7',
      email: 'ada@example.org',
      isEmailVerified: true,
      username: 'AdaLovelacescript',
      firstName: 'Ada',
      lastName: '',
      groups: [],
    });
  });

  test.each([
    [{ sub: '1', email: 'nora.x@example.org' }, 'nora.x'],
    [{ sub: '1', preferred_username: 'ж' }, 'user'],
    [{ sub: '1', preferred_username: 5 }, 'user'],
    [{ sub: '1', preferred_username: 'a'.repeat(500) }, 'a'.repeat(140)],
  ])('%j is called %s', (claims, name) => expect(personOf(claims, undefined, []).username).toBe(name));

  test.each([
    [{ email: 'a@example.org', email_verified: 'true' }, true],
    [{ email: 'a@example.org', email_verified: 1 }, false],
    [{ email: 'a@example.org' }, false],
    [{ email: 'a\nb@example.org', email_verified: true }, false],
    [{ email: ['a@example.org'], email_verified: true }, false],
  ])('%j: verified is %s', (claims, is) =>
    expect(personOf({ sub: '1', ...claims }, undefined, []).isEmailVerified).toBe(is),
  );

  const GROUPS = [
    { slug: 'surveyors', value: 'team-survey' },
    { slug: 'editors', value: 'team-edit' },
    { slug: 'editors', value: 'team-survey' },
  ];
  test.each([
    [{ groups: ['team-survey', 'x', 5] }, 'groups', ['surveyors', 'editors']],
    [{ groups: 'team-edit' }, 'groups', ['editors']],
    [{ realm_access: { roles: ['team-edit'] } }, 'realm_access.roles', ['editors']],
    [{ 'https://example.org/groups': ['team-edit'] }, 'https://example.org/groups', ['editors']],
    [{ groups: { 'team-edit': true } }, 'groups', []],
    [{}, 'groups', []],
    [{}, 'constructor.name', []],
    [{ groups: ['team-edit'] }, undefined, []],
  ])('%j by %s is in %j', (claims, claim, groups) =>
    expect(personOf({ sub: '1', ...claims }, claim, GROUPS).groups).toEqual(groups),
  );
});
