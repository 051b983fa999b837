// A block of shell code → its commands, each with the comment lines behind it, so that the ones that run can be run one by one.

import type { DocCode } from '../lib/docs/doc-page.ts';
import { parseCurl } from './parse-curl.ts';

export function codeParts(language: string, text: string): readonly DocCode[] {
  if (language !== 'sh' && language !== 'bash') return [{ text }];
  const parts = commandsOf(text).map(({ command, whole }): DocCode => {
    const request = parseCurl(command);
    return request === undefined ? { text: whole } : { text: whole, request };
  });
  // What does not run stays together, as it was written.
  return parts.reduce<DocCode[]>((joined, part) => {
    const last = joined.at(-1);
    if (last !== undefined && last.request === undefined && part.request === undefined)
      joined[joined.length - 1] = { text: `${last.text}\n${part.text}` };
    else joined.push(part);
    return joined;
  }, []);
}

type Command = { command: string; whole: string };

function commandsOf(text: string): readonly Command[] {
  const commands: Command[] = [];
  /** The lines of a command that is not complete: it ends in a backslash, or within quotes. */
  let open: string | undefined;
  for (const line of text.split('\n')) {
    const last = commands.at(-1);
    if (open === undefined && last !== undefined && (line.startsWith('#') || line.trim() === '')) {
      last.whole += `\n${line}`;
      continue;
    }
    open = open === undefined ? line : `${open}\n${line}`;
    if (line.endsWith('\\') || isWithinQuotes(open)) continue;
    commands.push({ command: open, whole: open });
    open = undefined;
  }
  if (open !== undefined) commands.push({ command: open, whole: open });
  return commands;
}

function isWithinQuotes(text: string): boolean {
  let quote = '';
  for (const character of text) {
    if (quote === '' && (character === "'" || character === '"')) quote = character;
    else if (character === quote) quote = '';
  }
  return quote !== '';
}
