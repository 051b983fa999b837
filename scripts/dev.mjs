// The program for whoever works on it: the server starts again when its code or SQL changes, and the pages change in the open browser as they are
// saved. What is said on the command line goes to the program: `npm run dev -- --data-dir /tmp/portal`.
// Pages come from Vite at PORT, or 5173; everything else is asked of the program behind it.

import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, statSync, watch } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { createServer } from 'vite';
import { routeOf } from '../web/lib/route.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
/** Editors write a file in several steps. */
const PAUSE_MS = 100;

if (spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-stale'], { stdio: 'inherit' }).status !== 0)
  process.exit(1);
let program = startProgram();
const target = await program.portal;
if (target === undefined) process.exit(1);

const pages = await createServer({
  configFile: join(root, 'web/vite.config.ts'),
  logLevel: 'warn',
  server: { port: Number(process.env.PORT ?? 5173), proxy: { '^/': { target, ws: false, bypass: ownOf } } },
});
await pages.listen();
console.log(`\nThe pages as they are saved, with the program behind them: ${pages.resolvedUrls?.local[0]}\n`);

const compiler = spawn(
  join(root, 'node_modules/.bin/tsc'),
  ['-p', 'tsconfig.build.json', '--outDir', dist, '--watch', '--preserveWatchOutput'],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], shell: process.platform === 'win32' },
);
let isFirst = true;
createInterface(compiler.stdout).on('line', (line) => {
  const errors = /Found (\d+) errors?\. Watching/.exec(line)?.[1];
  if (errors === undefined || errors !== '0') console.log(line);
  else if (!isFirst) restart();
  if (errors !== undefined) isFirst = false;
});

// SQL and other files beside the code.
let timer;
watch(join(root, 'src'), { recursive: true }, (_event, name) => {
  if (name === null || extname(name) === '.ts' || !isFile(join(root, 'src', name))) return;
  mkdirSync(dirname(join(dist, name)), { recursive: true });
  copyFileSync(join(root, 'src', name), join(dist, name));
  clearTimeout(timer);
  timer = setTimeout(() => restart(), PAUSE_MS);
});

let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, async () => {
    isStopping = true;
    compiler.kill();
    await program.stop();
    process.exit(0);
  });

/** What Vite answers itself: modules, files of the pages, and the page for every address of one. Undefined: what the program answers. */
function ownOf({ method, url, headers }) {
  const path = decodeURI(new URL(url, target).pathname);
  if (/^\/(?:@|node_modules\/)/.test(path) || isFile(join(root, 'web', path)) || isFile(join(root, 'web/public', path)))
    return url;
  const isNavigation = method === 'GET' && headers.accept?.includes('text/html') === true;
  return isNavigation && routeOf(path).page !== 'lost' ? '/index.html' : undefined;
}

/** One after the other: several files may change at once. */
let restarts = Promise.resolve();
function restart() {
  restarts = restarts.then(async () => {
    await program.stop();
    if (isStopping) return;
    program = startProgram();
    if ((await program.portal) !== undefined) pages.ws.send({ type: 'full-reload' });
  });
}

/** `portal`: its address when it listens; undefined when it ended before. */
function startProgram() {
  const child = spawn(process.execPath, [join(dist, 'server/main.js'), ...process.argv.slice(2)], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', () => resolve(undefined)));
  const listens = new Promise((resolve) => {
    createInterface(child.stderr).on('line', (line) => {
      console.error(line);
      const address = /Portal listens on (http[^\s"]+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  return {
    portal: Promise.race([listens, ended]),
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

function isFile(path) {
  return existsSync(path) && statSync(path).isFile();
}
