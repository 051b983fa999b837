// The built program as a child process: arguments and environment in; its address, its log and its end out.

import { type ChildProcess, spawn } from 'node:child_process';
import { request as httpRequest } from 'node:http';
import { inspect } from 'node:util';
import { inject } from 'vitest';
import { ANONYMOUS, AUTHENTICATOR, EXPOSED_SCHEMAS, EXTRA_SEARCH_PATH } from '../fixtures/rest/fixture.ts';
import type { TestDatabase } from '../testkit/database.ts';
import { SECRET } from '../testkit/rest-client.ts';
import { shortLivedEngine } from '../testkit/short-lived-engine.ts';
import { MAIN } from './built-program.ts';

export type Program = {
  readonly child: ChildProcess;
  readonly pid: number;
  /** What was written so far. */
  out(): string;
  err(): string;
  /** Resolves as soon as stderr has such a text, from `after` characters on; fails when the program ends before. */
  told(pattern: RegExp | string, after?: number): Promise<void>;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
  stop(): Promise<number | null>;
};

export type Settings = Readonly<Record<string, string>>;

/** By the names of settings → the environment; nothing of the test run's own environment that the program would read. */
export function environment(settings: Settings, prefix = 'SVRST_'): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !/^(PG|SVRST_|PGRST_|TEST_|VITEST|NODE_OPTIONS)/.test(name)) env[name] = value;
  }
  for (const [name, value] of Object.entries(settings))
    env[`${prefix}${name.toUpperCase().replaceAll('-', '_').replaceAll('.', '_')}`] = value;
  return env;
}

/** Settings of a REST service over the fixture, on any free port. */
export function restSettings(db: TestDatabase, more: Settings = {}): Settings {
  return {
    'db-uri': asAuthenticator(db),
    'db-schemas': EXPOSED_SCHEMAS.join(','),
    'db-extra-search-path': EXTRA_SEARCH_PATH.join(','),
    'db-anon-role': ANONYMOUS,
    'jwt-secret': SECRET,
    'server-host': '127.0.0.1',
    'server-port': '0',
    'log-level': 'info',
    ...more,
  };
}

export function asAuthenticator(db: TestDatabase): string {
  if (db.uri === undefined) throw new Error('a program of its own needs a server');
  const url = new URL(db.uri);
  url.username = AUTHENTICATOR;
  url.password = AUTHENTICATOR;
  return url.href;
}

/** Every program that a test started is ended with it, however the test ends. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export function start(args: readonly string[], env: Record<string, string>, cwd?: string): Program {
  return startAt(MAIN, args, env, cwd);
}

/** Another script than the one that was built here. */
export function startAt(script: string, args: readonly string[], env: Record<string, string>, cwd?: string): Program {
  return startCommand(process.execPath, [...shortLivedEngine(), script, ...args], env, cwd);
}

/** Any command that becomes the program. */
export function startCommand(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
  cwd?: string,
): Program {
  const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const text = { out: '', err: '' };
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const look of [...waiting]) look();
  };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text.out += chunk;
    wake();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text.err += chunk;
    wake();
  });
  let hasEnded = false;
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      hasEnded = true;
      running.delete(child);
      wake();
      resolve(code);
    });
  });
  return {
    child,
    pid: child.pid ?? 0,
    out: () => text.out,
    err: () => text.err,
    told: (pattern, after = 0) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = text.err.slice(after);
          const has = typeof pattern === 'string' ? found.includes(pattern) : pattern.test(found);
          if (!has && !hasEnded) return;
          waiting.delete(look);
          if (has) resolve();
          else reject(new Error(`the program ended without saying ${pattern}:\n${text.err}`));
        };
        waiting.add(look);
        look();
      }),
    ended,
    async stop() {
      child.kill('SIGTERM');
      return await ended;
    },
  };
}

export type RunningRest = Program & {
  readonly url: string;
  get(target: string, headers?: Settings): Promise<HttpAnswer>;
};

export const LOADED = 'Schema cache loaded';

/** `survest rest`, waited for until it serves. */
export async function startRest(
  settings: Settings,
  options: { readonly args?: readonly string[]; readonly cwd?: string; readonly until?: string } = {},
): Promise<RunningRest> {
  const program = start(['rest', ...(options.args ?? [])], environment(settings), options.cwd);
  await program.told(/REST service listens on [^\s"]+[\s"]/);
  await program.told(options.until ?? LOADED);
  const url = /REST service listens on ([^\s"]+)/.exec(program.err())?.[1] ?? '';
  return { ...program, url, get: (target, headers = {}) => ask(url, target, { headers }) };
}

/** Runs to its end; for commands that do not serve. */
export async function runProgram(
  args: readonly string[],
  env: Record<string, string>,
  cwd?: string,
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const program = start(args, env, cwd);
  const code = await program.ended;
  return { code, out: program.out(), err: program.err() };
}

export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
};

export type Asking = {
  readonly method?: string;
  readonly headers?: Settings;
  readonly body?: string;
  readonly socketPath?: string;
};

/** One request on a connection of its own. */
export function ask(url: string, target: string, asking: Asking = {}): Promise<HttpAnswer> {
  const { method = 'GET', headers = {}, body, socketPath } = asking;
  const where = socketPath === undefined ? {} : { socketPath };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { path: target, method, headers, agent: false, ...where }, (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: Buffer.concat(parts).toString() }),
      );
    });
    sent.on('error', reject).end(body);
  });
}

/** Shorter than the time limit of a test, so that who waits in vain is told what for. */
const PATIENCE_MS = 100_000;

/** Asks again and again until the answer is as wanted. */
export async function eventually<T>(attempt: () => Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
  let last: unknown;
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const value = await within(deadline, attempt()).catch((error: unknown) => {
      last = error;
    });
    if (value !== undefined && isWanted(value)) return value;
    if (value !== undefined) last = value;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`waited ${PATIENCE_MS / 1000} s in vain; the last attempt gave ${inspect(last)}`);
}

async function within<T>(deadline: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), deadline - Date.now());
  });
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** What a program says when nothing went wrong. */
const EXPECTED = [
  /Starting Survest/,
  /listens on/,
  /Connection pool of at most/,
  /Connected to PostgreSQL/,
  /Listening for notifications/,
  /Schema cache loaded in/,
  /Told to reload/,
  /Settings reloaded/,
  /Stopping: received SIGTERM/,
  /Stopped after/,
];

/** Lines of stderr that tell of trouble, beyond what the test provoked. */
export function trouble(program: Program, provoked: readonly RegExp[] = []): readonly string[] {
  const isFine = (line: string): boolean => [...EXPECTED, ...provoked].some((pattern) => pattern.test(line));
  return program
    .err()
    .split('\n')
    .filter((line) => line !== '' && !isFine(line));
}

export function serverUri(): string {
  const { postgres } = inject('engines');
  if (postgres.kind === 'absent') throw new Error(postgres.reason);
  return postgres.uri;
}
