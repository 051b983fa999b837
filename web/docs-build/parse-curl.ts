// A curl command of the documentation → the request that it makes, as far as a page may make it in the reader's name. Undefined: it is
// something else (a stream, a file, a sign-in), and only shown.

import type { DocRequest } from '../lib/docs/doc-page.ts';

/** As the documentation calls its servers, and where they are beside this page. */
const SERVERS: readonly (readonly [prefix: RegExp, at: string])[] = [
  [/^(?:http:\/\/)?localhost:3000\//, '/rest/v1/'],
  [/^(?:http:\/\/)?localhost:8000\//, '/'],
];
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** Options that change what is shown in a terminal, and nothing about the request. */
const SHOWN_ONLY: ReadonlySet<string> = new Set(['-s', '-i']);
/** Who asks is the reader: names and tokens of the example are left out. */
const OF_SOMEBODY_ELSE = /^(?:authorization|cookie|x-csrftoken)$/i;
/** Signing in and out is not tried out, nor is what answers with a stream. */
const NEVER = /^\/(?:o|account\/(?:login|logout|clients))(?:\/|\?|$)|\/events(?:\?|$)/;
const WRITES = /^\/(?:rest\/v1|api\/v2)\//;
const FORM = 'application/x-www-form-urlencoded';

export function parseCurl(command: string): DocRequest | undefined {
  const words = shellWords(command);
  if (words === undefined || words[0] !== 'curl') return undefined;
  let [method, url, body]: (string | undefined)[] = [];
  const headers: Record<string, string> = {};
  for (let i = 1; i < words.length; i += 1) {
    const word = words[i] ?? '';
    if (SHOWN_ONLY.has(word)) continue;
    if (word === '-u' || word === '-X' || word === '-d' || word === '-H') {
      i += 1;
      const value = words[i] ?? '';
      if (word === '-X') method = value;
      if (word === '-d') body = body === undefined ? value : `${body}&${value}`;
      const [, name, content] = word === '-H' ? (/^([\w-]+): ?(.*)$/.exec(value) ?? []) : [];
      if (name !== undefined && content !== undefined && !OF_SOMEBODY_ELSE.test(name)) headers[name] = content;
    } else if (word.startsWith('-') || url !== undefined) return undefined;
    else url = word;
  }
  method ??= body === undefined ? 'GET' : 'POST';
  const path = url === undefined ? undefined : pathOf(url);
  if (path === undefined || !METHODS.has(method) || NEVER.test(path)) return undefined;
  if (method !== 'GET' && !WRITES.test(path)) return undefined;
  if (Object.entries(headers).some(([name, value]) => isVariable(value) || isStream(name, value))) return undefined;
  if (isVariable(path) || isVariable(body ?? '')) return undefined;
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  if (body !== undefined && !isTyped) headers['Content-Type'] = FORM;
  return { method: method as DocRequest['method'], path, headers, body };
}

const isVariable = (text: string): boolean => /\$[\w({]/.test(text);
const isStream = (name: string, value: string): boolean => /^accept$/i.test(name) && value.includes('event-stream');

function pathOf(url: string): string | undefined {
  for (const [prefix, at] of SERVERS) if (prefix.test(url)) return url.replace(prefix, at);
  return undefined;
}

/** As a POSIX shell takes it apart: words, '…', "…", and a comment at the end. Undefined: a pipe, a variable, a quote that never ends. */
function shellWords(command: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let i = 0; i < command.length; i += 1) {
    const character = command[i] ?? '';
    if (character === "'" || character === '"') {
      const end = command.indexOf(character, i + 1);
      if (end < 0) return undefined;
      word = (word ?? '') + command.slice(i + 1, end);
      i = end;
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === '\\' && command[i + 1] === '\n') i += 1;
    else if (character === '#' && word === undefined) break;
    else if ('|;<>`\\'.includes(character)) return undefined;
    else word = (word ?? '') + character;
  }
  if (word !== undefined) words.push(word);
  return words;
}
