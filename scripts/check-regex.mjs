// The ReDoS check: every regular expression of src and web has to be linear in the text it is matched against. Prints each one
// that recheck finds polynomial or exponential, or cannot judge, with a text that shows it.
// Usage: node scripts/check-regex.mjs [--all] [root]; --all judges also what was judged before (scripts/regex-verdicts.json)

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * What may stay although the check does not pass it, by file and source. The reason says which bound stands before it.
 * An entry that is no longer needed is an offence too.
 */
export const ALLOWED = [
  {
    file: 'src/blobs/s3-xml.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the code as it stands there
    source: "new RegExp(`<${name}(?:\\\\s[^>]*)?>([\\\\s\\\\S]*?)</${name}>`, 'g')",
    reason: 'answers of the configured store, a thousand keys at most; the names are those of this file',
  },
  {
    file: 'src/portal/errors/allowed-methods.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the code as it stands there
    source: "new RegExp(`^${source.replace(/\\/$/, '')}/?$`)",
    reason: 'made from our own routes; a path is as long as the request line may be, and every part ends at a slash',
  },
  ...[
    '/^Invalid pk "(?<name>.*)" - .* object does not exist\\.$/s',
    '/^(?<file>.*): files of the type "(?<type>.*)" cannot be imported\\./s',
    '/^"(?<text>.*)" in the column "(?<name>.*)" is not a coordinate\\.$/s',
  ].map((source) => ({
    file: 'web/lib/server-message.ts',
    source,
    reason: 'what the server says of what the reader typed or sent, in their own browser',
  })),
  {
    file: 'web/lib/sniff-upload.ts',
    source: '/"crs"\\s*:\\s*\\{[^}]*"name"\\s*:\\s*"[^"]*?EPSG:{1,2}(\\d{4,6})"/i',
    reason: 'the first 64 kB of a file that the person chose, in their own browser',
  },
];

const FOLDERS = ['src', 'web'];
const TIMEOUT_MS = 120_000;
const MEASURABLE_MS = 30;
/** Halfway between twice and four times, as factors go. */
const FASTER = 2 * Math.SQRT2;

/** Every offence as one line of text. `judge`: source and flags → undefined for a linear one, or what is wrong with it. */
export async function checkRegexes(root, judge, allowed = ALLOWED) {
  const offences = [];
  const used = new Set();
  for (const { path, line, text, pattern, flags } of regexesIn(root)) {
    const excuse = allowed.find(({ file, source }) => file === path && source === text);
    const wrong =
      pattern === undefined ? 'is put together at run time: nobody can judge it' : await judge(pattern, flags);
    if (wrong === undefined) continue;
    if (excuse === undefined) offences.push(`${path}:${line}: ${text} ${wrong}`);
    else used.add(excuse);
  }
  for (const excuse of allowed) {
    if (!used.has(excuse)) offences.push(`${excuse.file}: ${excuse.source} is excused without need`);
  }
  return offences;
}

function* regexesIn(root) {
  for (const folder of FOLDERS) {
    for (const file of sourceFiles(join(root, folder))) {
      const path = relative(root, file).split(sep).join(posix.sep);
      const code = readFileSync(file, 'utf8');
      const { program, errors } = parseSync(file, code, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
      if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
      for (const node of nodesOf(program)) {
        const isLiteral = node.type === 'Literal' && node.regex !== undefined;
        if (!isLiteral && !isConstructed(node)) continue;
        const at = { path, line: code.slice(0, node.start).split('\n').length, text: code.slice(node.start, node.end) };
        if (isLiteral) yield { ...at, pattern: node.regex.pattern, flags: node.regex.flags };
        else yield { ...at, ...constantPattern(node, program) };
      }
    }
  }
}

function isConstructed({ type, callee }) {
  return (type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp';
}

/** `new RegExp` over texts that stand in the file, pieces of them named by `const` included. */
function constantPattern({ arguments: [source, flags] }, program) {
  const pattern = constantText(source, program);
  const said = flags === undefined ? '' : constantText(flags, program);
  return pattern === undefined || said === undefined ? {} : { pattern, flags: said };
}

function constantText(node, program) {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : undefined;
    case 'TaggedTemplateExpression': {
      const isRaw = node.tag.object?.name === 'String' && node.tag.property?.name === 'raw';
      return isRaw ? templateText(node.quasi, 'raw', program) : undefined;
    }
    case 'TemplateLiteral':
      return templateText(node, 'cooked', program);
    case 'Identifier': {
      const declared = program.body
        .flatMap((one) => (one.type === 'VariableDeclaration' && one.kind === 'const' ? one.declarations : []))
        .find(({ id }) => id.name === node.name);
      return declared?.init == null ? undefined : constantText(declared.init, program);
    }
    default:
      return undefined;
  }
}

function templateText({ quasis, expressions }, form, program) {
  let text = '';
  for (const [i, quasi] of quasis.entries()) {
    const inserted = i === 0 ? '' : constantText(expressions[i - 1], program);
    if (inserted === undefined) return undefined;
    text += inserted + quasi.value[form];
  }
  return text;
}

/** In the order of the text. A generator inside a generator for each level would take ten times as long. */
function* nodesOf(program) {
  const open = [program];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node.type === 'string') yield node;
    const before = open.length;
    for (const key in node) if (node[key] !== null && typeof node[key] === 'object') open.push(node[key]);
    reverseFrom(open, before);
  }
}

function reverseFrom(list, start) {
  for (let a = start, b = list.length - 1; a < b; a++, b--) [list[a], list[b]] = [list[b], list[a]];
}

/** Tests are left out: what they match is what they made. */
function sourceFiles(folder) {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (name === 'node_modules' || name === 'dist') return [];
      if (statSync(path).isDirectory()) return sourceFiles(path);
      return /\.m?tsx?$/.test(name) && !/\.(?:test|d|gen)\.m?tsx?$/.test(name) ? [path] : [];
    });
}

/**
 * Verdicts are kept in the repository, by the text of the expression: one takes up to seconds and never changes for one version of the
 * checker. What is new is judged and written down; `all` judges every expression anew.
 */
function makeJudge(root, check, checker, all) {
  const file = join(root, 'scripts/regex-verdicts.json');
  const kept = !all && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const known = kept.checker === checker ? kept.verdicts : {};
  const verdicts = {};
  return {
    async judge(pattern, flags) {
      // Without a repetition that has no end there is nothing to grow.
      if (!/[*+]|\{\d+,\}/.test(pattern)) return undefined;
      const key = `/${pattern}/${flags}`;
      const verdict = Object.hasOwn(known, key) ? known[key] : await judgeAnew(check, pattern, flags);
      // That one could not be judged in time says something of the machine, and is found out anew.
      if (verdict?.isUnknown === true) return verdict.why;
      verdicts[key] = verdict;
      return verdict ?? undefined;
    },
    /** Those of expressions that are still there, in an order that keeps the differences of two branches apart. */
    keep() {
      const sorted = Object.fromEntries(Object.entries(verdicts).sort(([a], [b]) => (a < b ? -1 : 1)));
      const text = `${JSON.stringify({ checker, verdicts: sorted }, null, 2)}\n`;
      if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
  };
}

/** Null for a linear one, or what is wrong with it. */
async function judgeAnew(check, pattern, flags) {
  const { status, complexity, attack, error } = await check(pattern, flags, { timeout: TIMEOUT_MS });
  if (status === 'safe') return null;
  if (status !== 'vulnerable') return { isUnknown: true, why: `could not be judged (${error.kind})` };
  const isGuess = complexity.isFuzz && complexity.type === 'polynomial';
  if (isGuess && !growsFasterThanText(pattern, flags, attack)) return null;
  return `is ${complexity.summary}, for example on ${attack.pattern}`;
}

/**
 * What the checker has guessed, and not derived, is tried on the engine that will run it. Twice the text in twice the time is linear, four
 * times the time is not. Time of the processor, and the shortest of three runs: what else the machine does is not counted.
 */
function growsFasterThanText(pattern, flags, { pumps, suffix }) {
  const expression = new RegExp(pattern, flags.replace(/[gy]/g, ''));
  const timeOf = (count) => {
    const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(count)).join('') + suffix;
    return Math.min(
      ...[1, 2, 3].map(() => {
        const start = process.cpuUsage();
        expression.test(text);
        return process.cpuUsage(start).user / 1000;
      }),
    );
  };
  // A quadratic one would take minutes for the last.
  for (let count = 16; count <= 2 ** 19; count *= 2) {
    const taken = timeOf(count);
    if (taken < MEASURABLE_MS) continue;
    // A repetition with a bound grows so up to its bound, and no further: on a slow machine that is where it can be measured first.
    const [twice, fourTimes] = [timeOf(count * 2), timeOf(count * 4)];
    return twice > FASTER * taken && fourTimes > FASTER * twice;
  }
  return false;
}

// Imported when the script runs, so that what is missing is said in words.
async function load(name) {
  try {
    return await import(name);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    console.error(`The package ${name} is not installed here; \`npm ci\` installs it.`);
    process.exit(1);
  }
}

const { parseSync } = await load('rolldown/utils');

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const args = process.argv.slice(2);
  const root = args.find((arg) => arg !== '--all') ?? join(import.meta.dirname, '..');
  const { check } = await load('recheck');
  const { version } = JSON.parse(
    readFileSync(new URL('../node_modules/recheck/package.json', import.meta.url), 'utf8'),
  );
  const { judge, keep } = makeJudge(root, check, `recheck ${version}`, args.includes('--all'));
  const offences = await checkRegexes(root, judge);
  keep();
  for (const offence of offences) console.error(offence);
  process.exit(offences.length > 0 ? 1 : 0);
}
