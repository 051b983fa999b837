import { expect, test } from 'vitest';
import { permissionComplaint } from './permission-complaint.ts';

const spec = { users: { bob: ['fly', 'view_resourcebase'], eve: 5 }, groups: { surveyors: ['swim', 7] } };

test.each([
  ['unknown user "eve"', 'users'],
  ['unknown group "a "b""', 'groups'],
  ['unknown member "owners"', 'owners'],
  ['"groups" must be an object of names and permission lists', 'groups'],
  ['permissions of "eve" must be a list', 'users'],
  ['unknown permission "fly"', 'users'],
  ['unknown permission "swim"', 'groups'],
  ['a map has no permission "swim"', 'groups'],
  ['unknown permission "7"', 'groups'],
  ['permissions must be an object', 'non_field_errors'],
])('%s is about %s', (message, field) => {
  const error = { kind: 'sql', sqlstate: '22023', message, detail: null, hint: null, statement: 0 } as const;
  expect(permissionComplaint(error, spec)).toEqual({ kind: 'invalid-fields', fields: { [field]: [message] } });
});

test.each([
  ['unknown group "surveyors"', 'organizations'],
  ['unknown group "7"', 'groups'],
  ['unknown group "8"', 'groups'],
  ['unknown user "eve"', 'users'],
  ['unknown level "admin" of "bob"', 'users'],
  ['unknown level "all" of "surveyors"', 'organizations'],
  ['unknown level "" of "anonymous"', 'groups'],
  ['unknown level "x" of "bob"', 'non_field_errors'],
])('of levels, %s is about %s', (message, field) => {
  const error = { kind: 'sql', sqlstate: '22023', message, detail: null, hint: null, statement: 0 } as const;
  const levels = {
    users: [{ username: 'bob', permissions: 'admin' }],
    organizations: [{ name: 'surveyors', permissions: 'all' }],
    groups: [{ id: 7, permissions: 5 }],
  };
  expect(permissionComplaint(error, levels)).toEqual({ kind: 'invalid-fields', fields: { [field]: [message] } });
});

test.each([null, undefined, 5, 'x', [], { users: null }, { users: [1] }])('%j as a body is no trouble', (body) => {
  const error = { kind: 'sql', sqlstate: '22023', message: 'x', detail: null, hint: null, statement: 0 } as const;
  expect(permissionComplaint(error, body)).toMatchObject({ fields: { non_field_errors: ['x'] } });
});

test('a refusal is something else', () => {
  const error = { kind: 'sql', sqlstate: '42501', message: 'no', detail: null, hint: null, statement: 0 } as const;
  expect(permissionComplaint(error, spec)).toBeUndefined();
});
