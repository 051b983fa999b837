// The load in a process of its own: one line of JSON in, one line of JSON out.

import { type Load, runLoad } from './load.ts';

const load = JSON.parse(process.argv[2] ?? '{}') as Load;
const { perSecond, answers, unexpected } = await runLoad(load);
process.stdout.write(JSON.stringify({ perSecond, answers, unexpected: [...unexpected] }));
