// The admin server of a program with workers: each question goes to them, and their answers become one.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { sumMetrics } from './sum-metrics.ts';

const PATHS: ReadonlySet<string> = new Set(['/live', '/ready', '/metrics', '/schema_cache']);
/** About one of several databases. */
const OF_ONE = /^\/(?:ready|schema_cache)\/[A-Za-z0-9_-]+$/;
const PATIENCE_MS = 5000;

/** `ports`: of the workers' own admin servers, on this machine. */
export function primaryAdmin(
  ports: () => readonly number[],
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    void answer(path, ports(), response).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'Content-Length': '0' }).end();
    });
  };
}

async function answer(path: string, ports: readonly number[], response: ServerResponse): Promise<void> {
  const isKnown = PATHS.has(path) || OF_ONE.test(path);
  const asked = isKnown ? (path.startsWith('/schema_cache') ? ports.slice(0, 1) : ports) : [];
  const answers = await Promise.all(asked.map((port) => ask(port, path)));
  const worst = answers.reduce((status, one) => Math.max(status, one.status), isKnown ? 200 : 404);
  const status = isKnown && answers.length === 0 ? 503 : worst;
  const body = path === '/metrics' ? sumMetrics(answers.map(({ text }) => text)) : (answers[0]?.text ?? '');
  const type = path.startsWith('/schema_cache') ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8';
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

async function ask(port: number, path: string): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return { status: reply.status, text: await reply.text() };
  } catch {
    return { status: 503, text: '' };
  }
}
