// One line of JSON in, one line of JSON out.

import { type Load, runLoad } from '../lib/load.ts';

const loads = JSON.parse(process.argv[2] ?? '[]') as Load[];
const results = await Promise.all(loads.map(runLoad));
const unexpected = new Map<number, number>();
for (const result of results)
  for (const [status, count] of result.unexpected) unexpected.set(status, (unexpected.get(status) ?? 0) + count);
process.stdout.write(
  JSON.stringify({
    perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
    answers: results.reduce((sum, { answers }) => sum + answers, 0),
    unexpected: [...unexpected],
  }),
);
