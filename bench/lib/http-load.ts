// Runs a load by wrk where there is one, else in a child process of ours, which costs the machine three times as much.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Load, LoadResult } from './load.ts';
import { hasWrk, wrkLoad } from './wrk.ts';

export async function httpLoad(load: Load): Promise<LoadResult> {
  if (hasWrk) return wrkLoad(load);
  const child = fileURLToPath(new URL('./load-child.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', child, JSON.stringify(load)]);
  const result = JSON.parse(stdout) as { perSecond: number; answers: number; unexpected: [number, number][] };
  return { ...result, unexpected: new Map(result.unexpected) };
}

export function httpRequest(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
