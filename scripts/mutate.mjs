// Mutation testing: breaks the code in small ways, one at a time, and says which breaks no test noticed. Nothing on disk changes: a
// broken file exists only in the module server of the test runner.
// Usage: npm run mutate -- src/rest/plan [--tests test/feature/rest …] [--sample N] [--seed N] [--again FILE]
//   Tests that stand beside the code are always run; --tests names more. --sample breaks N places chosen at random instead of all;
//   --again breaks only those that survived in an earlier run, whose output is in FILE.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { loadConfigFromFile, parseSync } from 'vite';
import { BaseSequencer, createVitest } from 'vitest/node';

/** What becomes of an operator. */
const OPERATORS = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
};

class AsNamed extends BaseSequencer {
  sort(files) {
    // -1: beside the code.
    const rank = ({ moduleId }) => tests.findIndex((path) => relative(root, moduleId).startsWith(path));
    return files.sort((a, b) => rank(a) - rank(b));
  }
}

const root = join(import.meta.dirname, '..');
const CONFIG = join(root, 'vitest.config.ts');
const { places, tests, sample, seed, again } = readArguments(process.argv.slice(2));
const sources = places
  .flatMap((place) =>
    place.endsWith('.ts')
      ? [place]
      : readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.ts'))
          .map((name) => join(place, name)),
  )
  .filter((file) => !/\.(test|d)\.ts$/.test(file))
  .sort();
if (sources.length === 0)
  fail(`there is no source in ${places.join(', ') || 'what was named'}: npm run mutate -- src/rest/plan`);

const all = sources.flatMap((file) => mutantsOf(file));
const chosen = sample === undefined ? all : choose(all, sample, seed);
const survived = again === undefined ? undefined : new Set(readFileSync(again, 'utf8').split('\n'));
const mutants = survived === undefined ? chosen : chosen.filter((mutant) => survived.has(survivorLine(mutant)));
console.log(`${all.length} places to break in ${sources.length} files; breaking ${mutants.length} (seed ${seed})`);

let current;
/** A run that takes longer is stuck in a loop that a break made endless: no timeout of a test ends one that never yields. */
let stuckMs = 600_000;
// One project of all tests: a project of its own has a module server of its own, which would not have the plugin.
const { projects, ...shared } = (await loadConfigFromFile({ command: 'serve', mode: 'test' }, CONFIG)).config.test;
const [engines] = projects.filter(({ test: { name } }) => name === 'engines');
const vitest = await createVitest(
  'test',
  {
    ...shared,
    include: engines.test.include,
    globalSetup: engines.test.globalSetup,
    watch: false,
    config: false,
    root,
    reporters: [{}],
    bail: 1,
    maxWorkers: 1,
    // What stands beside the code first, then as --tests names them: quick ones named first notice most before the slow ones begin.
    sequence: { ...shared.sequence, sequencer: AsNamed },
    testTimeout: 20_000,
    silent: true,
  },
  {
    plugins: [
      {
        name: 'mutate',
        enforce: 'pre',
        load: (id) => (current !== undefined && id === join(root, current.file) ? current.text : undefined),
      },
    ],
  },
);
await vitest.standalone();
const specs = (await vitest.globTestSpecifications([...places.map(folderOf), ...tests])).filter(Boolean);
if (specs.length === 0) fail('no test stands beside it, and --tests names none');

const begun = performance.now();
if ((await broken()) !== false) fail('the tests fail without any change: mend that first');
stuckMs = 20_000 + 5 * (performance.now() - begun);
const survivors = [];
let done = 0;
for (const mutant of mutants) {
  current = mutant;
  const noticed = await broken();
  current = undefined;
  done++;
  if (!noticed) {
    survivors.push(mutant);
    console.log(survivorLine(mutant));
  }
  if (done % 25 === 0) console.log(`… ${done} of ${mutants.length}, ${done - survivors.length} noticed`);
}
const score = ((100 * (done - survivors.length)) / done).toFixed(1);
console.log(`${done - survivors.length} of ${done} breaks were noticed: ${score} %`);
await vitest.close();
process.exit(0);

/** Whether some test fails, or cannot even be loaded, with the file as it is now. */
async function broken() {
  if (current !== undefined) vitest.invalidateFile(join(root, current.file));
  const watch = setTimeout(endWorkers, stuckMs);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specs, false);
  clearTimeout(watch);
  for (const file of sources) vitest.invalidateFile(join(root, file));
  return unhandledErrors.length > 0 || testModules.some((module) => !module.ok());
}

/** Ends the test processes of this run; the runner takes that as a failure. */
function endWorkers() {
  for (const line of execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')) {
    const [pid, parent, ...args] = line.trim().split(/\s+/);
    if (Number(parent) === process.pid && args.join(' ').includes('vitest')) process.kill(Number(pid), 'SIGKILL');
  }
}

function survivorLine({ file, line, from, to }) {
  return `SURVIVED ${file}:${line}  ${from}  →  ${to}`;
}

/** Every way to break a file that is worth a try. */
function mutantsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) fail(`${file}: ${errors[0].message}`);
  const found = [];
  const add = (start, end, to) => {
    const from = text.slice(start, end);
    const line = text.slice(0, start).split('\n').length;
    found.push({ file, line, from: short(from), to: short(to), text: text.slice(0, start) + to + text.slice(end) });
  };
  walk(program, (node, parent) => {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const other = OPERATORS[node.operator];
        if (other === undefined) return;
        const at = text.indexOf(node.operator, node.left.end);
        add(at, at + node.operator.length, other);
        return;
      }
      case 'UnaryExpression':
        if (node.operator === '!') add(node.start, node.argument.start, '');
        return;
      case 'IfStatement':
        add(node.test.start, node.test.end, 'true');
        add(node.test.start, node.test.end, 'false');
        return;
      case 'ConditionalExpression':
        add(node.test.start, node.test.end, 'true');
        add(node.test.start, node.test.end, 'false');
        return;
      case 'Literal':
        if (
          parent?.type === 'ImportDeclaration' ||
          parent?.type?.startsWith('TS') ||
          parent?.type === 'ExportNamedDeclaration'
        )
          return;
        if (typeof node.value === 'boolean') add(node.start, node.end, String(!node.value));
        else if (typeof node.value === 'number') add(node.start, node.end, String(node.value + 1));
        return;
      case 'ExpressionStatement':
        if (node.expression.type === 'CallExpression') add(node.start, node.end, ';');
        return;
    }
  });
  return found;
}

function walk(node, visit, parent) {
  // Types cannot be broken so that a test would see it.
  if (node.type?.startsWith('TS') && !/^TS(As|Satisfies|NonNull)Expression$/.test(node.type)) return;
  visit(node, parent);
  for (const [key, value] of Object.entries(node)) {
    if (key === 'typeAnnotation' || key === 'typeParameters' || key === 'typeArguments' || key === 'returnType')
      continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (child !== null && typeof child === 'object' && typeof child.type === 'string') walk(child, visit, node);
  }
}

function choose(list, count, start) {
  const mixed = [...list];
  let state = start >>> 0 || 1;
  for (let i = mixed.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = state % (i + 1);
    [mixed[i], mixed[j]] = [mixed[j], mixed[i]];
  }
  return mixed.slice(0, count);
}

function folderOf(place) {
  return relative(root, join(root, place)).replace(/\.ts$/, '');
}

function short(text) {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 57)}…` : line || '(nothing)';
}

function readArguments(args) {
  const read = { places: [], tests: [], sample: undefined, seed: 1, again: undefined };
  let into = read.places;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === '--tests') into = read.tests;
    else if (arg === '--sample') read.sample = Number(args[++i]);
    else if (arg === '--seed') read.seed = Number(args[++i]);
    else if (arg === '--again') read.again = args[++i];
    else if (arg.startsWith('--')) fail(`unknown: ${arg}`);
    else into.push(arg);
  }
  return read;
}

function fail(why) {
  console.error(why);
  process.exit(1);
}
