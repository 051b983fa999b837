// A password from whoever runs the program: typed twice on the terminal without being shown, or from standard input.

import type { Readable } from 'node:stream';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { PasswordFrom } from '../command-line/parse-command-line.ts';

export type ReadPassword = (
  from: PasswordFrom,
  account: string,
) => Promise<Result<string, { readonly message: string }>>;

/** The parts of a terminal that are used; `process.stdin` and `process.stderr` have them. */
export type Terminal = {
  readonly input: Readable & { readonly isTTY?: boolean; setRawMode?(on: boolean): unknown };
  readonly prompt: (text: string) => void;
};

const MAX_BYTES = 16_384;

export function makeReadPassword(terminal: Terminal): ReadPassword {
  return (from, account) => (from === 'stdin' ? fromStdin(terminal.input) : askTwice(terminal, account));
}

/** One line or all there is; the line's end does not belong to it. */
async function fromStdin(input: Readable): Promise<Result<string, { readonly message: string }>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BYTES) return err({ message: 'standard input is too long for a password' });
    chunks.push(bytes);
  }
  const text = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (text === '') return err({ message: 'standard input has no password' });
  return /[\r\n]/.test(text) ? err({ message: 'standard input has more than one line' }) : ok(text);
}

async function askTwice(terminal: Terminal, account: string): Promise<Result<string, { readonly message: string }>> {
  if (terminal.input.isTTY !== true || terminal.input.setRawMode === undefined) {
    return err({ message: 'there is no terminal to ask for a password on: use --password-stdin' });
  }
  const first = await askHidden(terminal, `New password of ${account}: `);
  if (first === undefined) return err({ message: 'stopped' });
  const second = await askHidden(terminal, 'The same again: ');
  if (second === undefined) return err({ message: 'stopped' });
  return first === second ? ok(first) : err({ message: 'the two passwords differ' });
}

const [INTERRUPT, END, BACKSPACE, LINE_FEED, RETURN, SPACE, DELETE] = [3, 4, 8, 10, 13, 32, 127] as const;

/** Undefined: Ctrl-C or Ctrl-D. Works on bytes, since a letter of several may arrive in pieces. */
function askHidden({ input, prompt }: Terminal, question: string): Promise<string | undefined> {
  prompt(question);
  input.setRawMode?.(true);
  return new Promise((resolve) => {
    let typed: number[] = [];
    const finish = (answer: string | undefined, rest: Buffer): void => {
      input.off('data', onData);
      input.setRawMode?.(false);
      input.pause();
      // Two lines pasted at once answer two questions.
      if (rest.length > 0) input.unshift(rest);
      prompt('\n');
      resolve(answer);
    };
    const onData = (chunk: Buffer): void => {
      for (const [i, byte] of chunk.entries()) {
        const isEnd = byte === RETURN || byte === LINE_FEED;
        if (isEnd || byte === INTERRUPT || byte === END) {
          finish(isEnd ? Buffer.from(typed).toString('utf8') : undefined, chunk.subarray(i + 1));
          return;
        }
        if (byte === BACKSPACE || byte === DELETE) typed = withoutLast(typed);
        else if (byte >= SPACE) typed.push(byte);
      }
    };
    input.on('data', onData);
    input.resume();
  });
}

function withoutLast(typed: readonly number[]): number[] {
  const characters = [...Buffer.from(typed).toString('utf8')];
  return [...Buffer.from(characters.slice(0, -1).join(''))];
}
