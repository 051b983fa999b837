// A process of its own with the embedded database of a folder, to be killed by the test that started it.
// Arguments: folder, template, last number acknowledged before. Says `opened`, then a number per transaction that committed.

import { writeSync } from 'node:fs';
import { openEmbedded } from '../../src/pg/pglite/open-embedded.ts';

const [dataDir = '', templatePath = '', acknowledged = '0'] = process.argv.slice(2);
const say = (line: string): void => {
  writeSync(1, `${line}\n`);
};

const opened = await openEmbedded({ dataDir, templatePath });
if (!opened.ok) {
  say(opened.error.message);
  process.exit(1);
}
const driver = opened.value;

// Two rows per transaction, in two tables: half a transaction would show.
const made = await driver.script(`
  create table if not exists ledger (n int primary key, filler text);
  create table if not exists mirror (n int primary key)`);
if (!made.ok) throw new Error(JSON.stringify(made.error));
const counted = await driver.execute([
  {
    text: `select coalesce(max(l.n), 0), count(l.n), count(m.n), count(*) from ledger l full join mirror m on l.n = m.n`,
    params: [],
  },
]);
if (!counted.ok) throw new Error(JSON.stringify(counted.error));
const [last = 0, inLedger, inMirror, all] = (counted.value[0]?.rows[0] ?? []).map((cell) => Number(cell?.toString()));
const isWhole = inLedger === last && inMirror === last && all === last;
say(
  isWhole && last >= Number(acknowledged)
    ? 'opened'
    : `lost: ${acknowledged} acknowledged, ${inLedger} and ${inMirror} there`,
);

for (let n = last + 1; ; n++) {
  const executed = await driver.execute([
    { text: `insert into ledger values ($1, repeat('x', 500))`, params: [String(n)] },
    { text: 'insert into mirror values ($1)', params: [String(n)] },
  ]);
  if (!executed.ok) throw new Error(JSON.stringify(executed.error));
  if (n % 97 === 0) await driver.execute([{ text: 'checkpoint', params: [] }]);
  say(String(n));
}
