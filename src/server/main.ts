#!/usr/bin/env node
// The program's front door: arguments in, exit code out. It imports nothing but a check of what runs it: the rest of the program does not even parse on
// an older Node, and would fail there with the stack trace of a loader.

import { runtimeComplaint } from './runtime-complaint.ts';

const complaint = runtimeComplaint(process.versions.node, 'WebAssembly' in globalThis);
if (complaint === undefined) {
  const { main } = await import('./cli/run-command.ts');
  process.exitCode = await main(process.argv.slice(2), process.env);
} else {
  process.stderr.write(`survest: ${complaint}\n`);
  process.exitCode = 1;
}
