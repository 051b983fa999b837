import { expect, test } from 'vitest';
import { failureOf } from '../api/failure.ts';
import { loadLanguage, makeText } from './i18n/text.ts';
import { failureText, fieldMessage, serverMessage } from './server-message.ts';

await loadLanguage('de');
const [en, de] = [makeText('en'), makeText('de')];

test.each([
  ['This field is required.', 'Dieses Feld muss ausgefüllt sein.'],
  ['Ensure this field has no more than 30 characters.', 'Höchstens 30 Zeichen.'],
  ['A user with that username already exists.', 'Dieser Benutzername ist schon vergeben.'],
  ['unknown user "nobody "x""', 'Ein Konto „nobody "x"“ gibt es nicht.'],
  ['Request was throttled. Expected available in 1 second.', 'Zu viele Versuche. Versuchen Sie es in 1 s noch einmal.'],
  [
    'The request is larger than the 1073741824 bytes that are accepted here.',
    'Das ist zu groß: Angenommen werden höchstens 1 GB.',
  ],
  ['Invalid pk "XYZ" - Region object does not exist.', '„XYZ“ gibt es nicht.'],
  ['"{name}" in the column "lon" is not a coordinate.', '„{name}“ in der Spalte „lon“ ist keine Koordinate.'],
  ['of: sum needs a column of numbers.', 'Dafür wird eine Spalte mit Zahlen gebraucht.'],
  ['bins: the column holds no numbers.', 'Dafür wird eine Spalte mit Zahlen gebraucht.'],
  ['across: both columns have to hold numbers.', 'Dafür wird eine Spalte mit Zahlen gebraucht.'],
  ['unit: the column holds neither dates nor times.', 'Dafür wird eine Spalte mit Datumsangaben gebraucht.'],
  ['group: there is no column "gone".', 'Eine Spalte „gone“ gibt es nicht.'],
  ['Something nobody has ever said.', 'Something nobody has ever said.'],
])('%j is said in German', (text, said) => {
  expect(serverMessage(de, { text })).toBe(said);
});

test('a failure names its fields as the forms do, and has a sentence of its own where nothing was said', () => {
  const failure = failureOf(400, {
    title: ['This field is required.'],
    odd_field: ['No.'],
    users: ['unknown user "x"'],
  });
  expect(failureText(de, failure)).toBe(
    'Titel: Dieses Feld muss ausgefüllt sein. odd_field: No. Ein Konto „x“ gibt es nicht.',
  );
  expect(failureText(en, failure)).toBe('Title: This field is required. odd_field: No. There is no account “x”.');
  expect(failureText(en, failureOf(400, undefined))).toBe(en('failure.invalid.text'));
  expect(failureText(en, { kind: 'offline' })).toBe(en('failure.offline.text'));
});

test('what the database says through the REST service is known by its code', () => {
  const failure = failureOf(400, { code: '22P02', message: 'invalid input syntax for type date: "x"' });
  expect(failureText(de, failure)).toBe('Dieser Wert ist hier nicht erlaubt.');
});

test('below a field its sentences stand alone', () => {
  expect(fieldMessage(en, [])).toBeUndefined();
  expect(fieldMessage(en, [{ field: 'title', text: 'This field may not be blank.' }])).toBe('This field is required.');
});
