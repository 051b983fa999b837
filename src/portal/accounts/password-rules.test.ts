import { expect, test } from 'vitest';
import { passwordComplaint } from './password-rules.ts';

test.each([
  ['correct horse', undefined],
  ['12345678', undefined],
  ['ääääääää', undefined],
  ['🐎🐎🐎🐎🐎🐎🐎🐎', undefined],
  ['1234567', 'This password is too short. It must contain at least 8 characters.'],
  ['', 'This password is too short. It must contain at least 8 characters.'],
  ['🐎🐎🐎🐎', 'This password is too short. It must contain at least 8 characters.'],
  ['Ada.Lovelace', 'The password is too similar to the username.'],
  ['x'.repeat(1025), 'Ensure this field has no more than 1024 characters.'],
])('%s', (password, complaint) => {
  expect(passwordComplaint(password, 'ada.lovelace')).toBe(complaint);
});
