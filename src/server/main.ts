#!/usr/bin/env node
// The program's front door: arguments in, exit code out.

import { main } from './run-command.ts';

process.exitCode = await main(process.argv.slice(2), process.env);
