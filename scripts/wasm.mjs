// WebAssembly text → bytes inside a TypeScript file: src/**/*.wat → *.wasm.gen.ts beside it; with --check fails where that file is not what the text says.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import openWabt from 'wabt';

const wabt = await openWabt();

function assemble(path) {
  const module = wabt.parseWat(path, readFileSync(path, 'utf8'), { simd: true });
  module.resolveNames();
  module.validate();
  return module.toBinary({}).buffer;
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

let isStale = false;
for (const path of textsIn('src')) {
  const target = path.replace(/\.wat$/, '.wasm.gen.ts');
  const text = generated(path.split('/').at(-1), assemble(path));
  if (!process.argv.includes('--check')) writeFileSync(target, text);
  else if (readFileSync(target, 'utf8') !== text) {
    console.error(`${target} is not what ${path} says: npm run wasm`);
    isStale = true;
  }
}
process.exitCode = isStale ? 1 : 0;
