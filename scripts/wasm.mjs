// WebAssembly text → bytes inside a TypeScript file: src/**/*.wat → *.wasm.gen.ts beside it; with --check fails where that file is not what the text says.
//
// Our own assembler, for the part of the language that our modules are written in: folded instructions, names for locals and labels, one memory. An
// instruction that is not in the table is refused. A general one (wabt) weighs five megabytes.
//
// A function that is called is written out where it is called, with locals of its own: the V8 of Node 20 does not do so, and a third of the time was calls.
// Its locals hold what they held after the call before: it sets them before it reads them. It cannot call itself.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const TYPES = { i32: 0x7f, i64: 0x7e, v128: 0x7b };
const EMPTY_BLOCK = 0x40;
const SIMD = 0xfd;

/** Instructions without immediates, by name. */
const PLAIN = {
  unreachable: [0x00],
  'i32.eqz': [0x45],
  'i32.eq': [0x46],
  'i32.ne': [0x47],
  'i32.lt_s': [0x48],
  'i32.lt_u': [0x49],
  'i32.gt_s': [0x4a],
  'i32.gt_u': [0x4b],
  'i32.le_s': [0x4c],
  'i32.ge_s': [0x4e],
  'i32.ge_u': [0x4f],
  'i32.ctz': [0x68],
  'i32.add': [0x6a],
  'i32.sub': [0x6b],
  'i32.mul': [0x6c],
  'i32.and': [0x71],
  'i32.or': [0x72],
  'i32.shl': [0x74],
  'i32.rotl': [0x77],
  'i32.rotr': [0x78],
  'i8x16.splat': [SIMD, 0x0f],
  'i8x16.eq': [SIMD, 0x23],
  'i8x16.lt_u': [SIMD, 0x26],
  'v128.or': [SIMD, 0x50],
  'i8x16.bitmask': [SIMD, 0x64],
};

/** Loads and stores, with the exponent of the alignment that their size suggests. */
const MEMORY = {
  'i32.load': [[0x28], 2],
  'i64.load': [[0x29], 3],
  'i32.load8_u': [[0x2d], 0],
  'i32.store': [[0x36], 2],
  'i64.store': [[0x37], 3],
  'i32.store8': [[0x3a], 0],
  'v128.load': [[SIMD, 0x00], 4],
  'v128.store': [[SIMD, 0x0b], 4],
};

const LOCALS = { 'local.get': 0x20, 'local.set': 0x21 };
const BRANCHES = { br: 0x0c, br_if: 0x0d };
const BLOCKS = { block: 0x02, loop: 0x03 };

/** Text → nested lists of words. */
function parse(text) {
  const words = text.replace(/;;.*/g, '').match(/[()]|"[^"]*"|[^\s()"]+/g) ?? [];
  const stack = [[]];
  for (const word of words) {
    if (word === '(') stack.push([]);
    else if (word === ')') {
      const list = stack.pop();
      if (stack.length === 0) throw new Error('a parenthesis too many');
      stack.at(-1).push(list);
    } else stack.at(-1).push(word);
  }
  if (stack.length !== 1) throw new Error('a parenthesis is not closed');
  return stack[0];
}

/** A whole number in LEB128. */
function signed(value) {
  const bytes = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    const low = Number(rest & 0x7fn);
    const isLast = rest >> 6n === 0n || rest >> 6n === -1n;
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}

function unsigned(value) {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    bytes.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80);
    if (rest < 0x80) return bytes;
  }
}

const sized = (bytes) => [...unsigned(bytes.length), ...bytes];
const vector = (items) => [...unsigned(items.length), ...items.flat()];
const section = (id, items) => [id, ...sized(vector(items))];
const nameOf = (quoted) => sized([...Buffer.from(quoted.slice(1, -1))]);

export function assemble(text) {
  const [module] = parse(text);
  const fields = module.slice(1);
  const all = fields.filter(([kind]) => kind === 'func').map(readFunction);
  const called = new Map(all.map((one) => [one.name, one]));
  const functions = all.filter(({ exportName }) => exportName !== undefined);
  const [memory] = fields.filter(([kind]) => kind === 'memory');
  const [, [, memoryName], least, most] = memory;
  // Functions of one type share it.
  const types = new Map(functions.map((one) => [String(typeOf(one)), typeOf(one)]));
  const exported = functions.map(({ exportName }, i) => [...nameOf(exportName), 0x00, ...unsigned(i)]);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [...types.values()]),
    ...section(
      3,
      functions.map((one) => unsigned([...types.keys()].indexOf(String(typeOf(one))))),
    ),
    ...section(5, [[0x01, ...unsigned(Number(least)), ...unsigned(Number(most))]]),
    ...section(7, [[...nameOf(memoryName), 0x02, 0x00], ...exported]),
    ...section(
      10,
      functions.map((one) => sized([...bodyOf(one, called), 0x0b])),
    ),
  ]);
}

function typeOf({ params, results }) {
  return [0x60, ...vector(params.map(({ type }) => [type])), ...vector(results)];
}

function readFunction([, ...parts]) {
  const name = typeof parts[0] === 'string' ? parts.shift() : undefined;
  const of = (kind) => parts.filter((part) => part[0] === kind);
  const named = (kind) => of(kind).map(([, local, type]) => ({ name: local, type: TYPES[type] }));
  return {
    name,
    exportName: of('export')[0]?.[1],
    params: named('param'),
    results: of('result').map(([, type]) => [TYPES[type]]),
    locals: named('local'),
    body: parts.filter(([kind]) => !['export', 'param', 'result', 'local'].includes(kind)),
  };
}

/** Neighbours of one type are counted together. */
function localsOf(locals) {
  const runs = [];
  for (const { type } of locals) {
    if (runs.at(-1)?.type === type) runs.at(-1).count += 1;
    else runs.push({ type, count: 1 });
  }
  return vector(runs.map(({ type, count }) => [...unsigned(count), type]));
}

/** The locals of a function, and behind them what it does. */
function bodyOf(main, functions) {
  const locals = [];
  const placed = new Map();
  /** Where the locals of a function are, each under its name. */
  const placesOf = (one) => {
    const known = placed.get(one);
    if (known !== undefined) return known;
    const places = new Map([...one.params, ...one.locals].map(({ name }, i) => [name, locals.length + i]));
    locals.push(...one.params, ...one.locals);
    placed.set(one, places);
    return places;
  };
  // Its own come first: parameters are where the caller puts them.
  placesOf(main);
  const found = (among, name) => {
    const one = among.get(name);
    if (one === undefined) throw new Error(`nothing is called ${name}`);
    return one;
  };
  /** Labels from the outermost to the innermost; a branch counts from the innermost. */
  const depthOf = (labels, name) => {
    const place = labels.lastIndexOf(name);
    if (place < 0) throw new Error(`no label is called ${name}`);
    return unsigned(labels.length - 1 - place);
  };

  /** `callers`: the function that the instructions are of is the last, behind those that it is written into. */
  const all = (list, labels, callers) => list.flatMap((one) => write(one, labels, callers));

  function write([word, ...rest], labels, callers) {
    const operands = rest.filter(Array.isArray);
    const immediates = rest.filter((part) => typeof part === 'string');
    const before = () => all(operands, labels, callers);
    if (word in PLAIN) return [...before(), ...PLAIN[word]];
    if (word in MEMORY) {
      const [opcode, alignment] = MEMORY[word];
      const offset = Number(immediates[0]?.replace('offset=', '') ?? 0);
      return [...before(), ...opcode, alignment, ...unsigned(offset)];
    }
    if (word in LOCALS) return [...before(), LOCALS[word], ...unsigned(found(placesOf(callers.at(-1)), immediates[0]))];
    if (word in BRANCHES) return [...before(), BRANCHES[word], ...depthOf(labels, immediates[0])];
    if (word in BLOCKS) return [BLOCKS[word], EMPTY_BLOCK, ...all(operands, [...labels, immediates[0]], callers), 0x0b];
    switch (word) {
      case 'i32.const':
        return [0x41, ...signed(BigInt.asIntN(32, BigInt(immediates[0])))];
      case 'i64.const':
        return [0x42, ...signed(BigInt.asIntN(64, BigInt(immediates[0])))];
      case 'call': {
        const callee = found(functions, immediates[0]);
        if (callers.includes(callee)) throw new Error(`${callee.name} calls itself`);
        const own = placesOf(callee);
        const taken = callee.params
          .toReversed()
          .flatMap(({ name }) => [LOCALS['local.set'], ...unsigned(own.get(name))]);
        return [...before(), ...taken, ...all(callee.body, labels, [...callers, callee])];
      }
      case 'br_table': {
        const depths = immediates.map((name) => depthOf(labels, name));
        return [...before(), 0x0e, ...vector(depths.slice(0, -1)), ...depths.at(-1)];
      }
      case 'if': {
        const inner = [...labels, undefined];
        const [, ...then] = operands.find(([part]) => part === 'then');
        const otherwise = operands.find(([part]) => part === 'else');
        const condition = operands.filter(([part]) => part !== 'then' && part !== 'else');
        const second = otherwise === undefined ? [] : [0x05, ...all(otherwise.slice(1), inner, callers)];
        return [...all(condition, labels, callers), 0x04, EMPTY_BLOCK, ...all(then, inner, callers), ...second, 0x0b];
      }
      default:
        throw new Error(`the instruction ${word} is not known here`);
    }
  }
  const bytes = all(main.body, [], [main]);
  return [...localsOf(locals.slice(main.params.length)), ...bytes];
}

function textsIn(folder) {
  const files = readdirSync(folder, { recursive: true });
  return files.filter((file) => file.endsWith('.wat')).map((file) => `${folder}/${file}`);
}

function generated(source, bytes) {
  const text = Buffer.from(bytes)
    .toString('base64')
    .replace(/.{100}(?=.)/g, "$&' +\n  '");
  return `// Generated from ${source} by \`npm run wasm\`; not to be edited.

export const WASM: string =
  '${text}';
`;
}

if (process.argv[1] === import.meta.filename) {
  let isStale = false;
  for (const path of textsIn('src')) {
    const target = path.replace(/\.wat$/, '.wasm.gen.ts');
    const text = generated(path.split('/').at(-1), assemble(readFileSync(path, 'utf8')));
    if (!process.argv.includes('--check')) writeFileSync(target, text);
    else if (readFileSync(target, 'utf8') !== text) {
      console.error(`${target} is not what ${path} says: npm run wasm`);
      isStale = true;
    }
  }
  process.exitCode = isStale ? 1 : 0;
}
