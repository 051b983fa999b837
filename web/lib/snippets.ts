// A request of the console as code: curl, JavaScript, Python. Pure.

import { parseToWrite } from './exact-json.ts';

export type ConsoleRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; empty: none. */
  readonly body: string;
};

export const SNIPPET_LANGUAGES = ['curl', 'javascript', 'python'] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

export function snippetOf(language: SnippetLanguage, request: ConsoleRequest): string {
  switch (language) {
    case 'curl':
      return curl(request);
    case 'javascript':
      return javascript(request);
    case 'python':
      return python(request);
  }
}

/** For a POSIX shell: nothing within is special. */
const shell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ method, url, headers, body }: ConsoleRequest): string {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${shell(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`-d ${shell(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

function javascript({ method, url, headers, body }: ConsoleRequest): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},`]),
    `  headers: ${indented(JSON.stringify(headers, null, 2))},`,
    ...(body === '' ? [] : [`  body: JSON.stringify(${indented(pretty(body))}),`]),
  ];
  return `const reply = await fetch(${JSON.stringify(url)}, {\n${options.join('\n')}\n});\nconst rows = await reply.json();`;
}

function python({ method, url, headers, body }: ConsoleRequest): string {
  const args = [
    `    ${JSON.stringify(url)},`,
    `    headers=${indented(JSON.stringify(headers, null, 2), '    ')},`,
    ...(body === '' ? [] : [`    data=${JSON.stringify(body)}.encode(),`]),
  ];
  return `import requests\n\nreply = requests.${method.toLowerCase()}(\n${args.join('\n')}\n)\nrows = reply.json()`;
}

function pretty(body: string): string {
  try {
    return JSON.stringify(parseToWrite(body), null, 2);
  } catch {
    return JSON.stringify(body);
  }
}

const indented = (text: string, by = '  '): string => text.replaceAll('\n', `\n${by}`);
