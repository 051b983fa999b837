import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { makeReadPassword, type Terminal } from './read-password.ts';

/** A terminal on which these chunks are typed, one after the other, as soon as somebody listens. */
function terminal(isTTY: boolean, chunks: readonly (string | Buffer)[]): Terminal & { shown: string; raw: boolean[] } {
  const input = Object.assign(new PassThrough(), { isTTY, setRawMode: (on: boolean) => made.raw.push(on) });
  const made = {
    input,
    shown: '',
    raw: [] as boolean[],
    prompt(text: string) {
      made.shown += text;
    },
  };
  for (const chunk of chunks) input.write(chunk);
  if (!isTTY) input.end();
  return made;
}

describe('from standard input', () => {
  test.each([
    ['secret word\n', 'secret word'],
    ['secret word\r\n', 'secret word'],
    ['secret word', 'secret word'],
    [' spaces stay \n', ' spaces stay '],
    ['pässwörter\n', 'pässwörter'],
  ])('%j is the password %j', async (text, password) => {
    expect(await makeReadPassword(terminal(false, [text]))('stdin', 'ada')).toEqual({ ok: true, value: password });
  });

  test.each([
    ['nothing', '', 'standard input has no password'],
    ['an empty line', '\n', 'standard input has no password'],
    ['two lines', 'a\nb\n', 'standard input has more than one line'],
    ['a whole file', 'x'.repeat(20_000), 'standard input is too long for a password'],
  ])('%s is refused', async (_what, text, message) => {
    expect(await makeReadPassword(terminal(false, [text]))('stdin', 'ada')).toEqual({ ok: false, error: { message } });
  });
});

describe('from the terminal', () => {
  test('is asked for twice, and not shown', async () => {
    const tty = terminal(true, ['secret word\r', 'secret word\r']);
    expect(await makeReadPassword(tty)('terminal', 'ada')).toEqual({ ok: true, value: 'secret word' });
    expect(tty.shown).toBe('New password of ada: \nThe same again: \n');
    expect(tty.raw).toEqual([true, false, true, false]);
  });

  test('two lines pasted at once answer both questions', async () => {
    expect(await makeReadPassword(terminal(true, ['word\nword\n']))('terminal', 'ada')).toEqual({
      ok: true,
      value: 'word',
    });
  });

  test('can be corrected while typing', async () => {
    const tty = terminal(true, ['wos\u007frd\r', 'word\r']);
    expect(await makeReadPassword(tty)('terminal', 'ada')).toEqual({ ok: true, value: 'word' });
  });

  test('letters of several bytes may arrive in pieces', async () => {
    const bytes = Buffer.from('ä\rä\r');
    const tty = terminal(true, [bytes.subarray(0, 1), bytes.subarray(1, 4), bytes.subarray(4)]);
    expect(await makeReadPassword(tty)('terminal', 'ada')).toEqual({ ok: true, value: 'ä' });
  });

  test.each([
    ['two different ones', ['one\r', 'two\r'], 'the two passwords differ'],
    ['Ctrl-C', ['sec\u0003'], 'stopped'],
    ['Ctrl-D', ['\u0004'], 'stopped'],
  ])('%s: nothing is done', async (_what, chunks, message) => {
    expect(await makeReadPassword(terminal(true, chunks))('terminal', 'ada')).toEqual({
      ok: false,
      error: { message },
    });
  });

  test('where there is none, it says what to do', async () => {
    expect(await makeReadPassword(terminal(false, []))('terminal', 'ada')).toEqual({
      ok: false,
      error: { message: 'there is no terminal to ask for a password on: use --password-stdin' },
    });
  });
});
