// The load by wrk, where that is installed: a C program beside pgbench, which is one too, leaves the machine to what is measured.

import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Load, type LoadResult, NUMBERS } from './load.ts';

export const hasWrk: boolean = spawnSync('wrk', ['-v']).error === undefined;

export async function wrkLoad(load: Load): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'survest-wrk-'));
  try {
    const { method, target, headers, body } = readRequest(load.request.toString());
    const script = join(folder, 'request.lua');
    const lines = [`wrk.method = ${lua(method)}`, `wrk.path = ${lua(target)}`, `wrk.body = ${lua(body)}`];
    for (const [name, value] of headers) lines.push(`wrk.headers[${lua(name)}] = ${lua(value)}`);
    if (target.includes('%n')) lines.push(numbered(target));
    await writeFile(script, lines.join('\n'));
    const { stdout } = await promisify(execFile)('wrk', [
      ...['-t', '1', '-c', String(load.connections), '-d', `${load.seconds}s`, '-s', script],
      `http://127.0.0.1:${load.port}`,
    ]);
    const answers = Number(/(\d+) requests in/.exec(stdout)?.[1] ?? 0);
    const failed = Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0);
    const unwanted = load.expect < 400 ? failed : answers - failed;
    const lost = /Socket errors: .*/.exec(stdout)?.[0];
    if (lost !== undefined) throw new Error(lost);
    return {
      perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? 0),
      answers,
      unexpected: unwanted === 0 ? new Map() : new Map([[0, unwanted]]),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function readRequest(text: string): {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
} {
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
  const [first = '', ...lines] = head.split('\r\n');
  const [method = 'GET', target = '/'] = first.split(' ');
  const headers = lines.map((line): [string, string] => {
    const [name = '', value = ''] = line.split(/: (.*)/s);
    return [name, value];
  });
  return { method, target, headers: headers.filter(([name]) => !/^(host|content-length)$/i.test(name)), body };
}

function numbered(target: string): string {
  return `local n = 0
request = function()
  n = n % ${NUMBERS} + 1
  return wrk.format(nil, ((${lua(target)}):gsub("%%n", n)))
end`;
}

function lua(text: string): string {
  return `"${text.replaceAll(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))}"`;
}
