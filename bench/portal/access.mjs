// What row-level security costs on a large catalogue: the same statements as a superuser without policies, and as visitor,
// account and administrator. Prints the processor time of the server (the clock of a busy machine tells little), the best of
// several interleaved runs, and the ratio to the superuser. Log in as a superuser: others may not ask for that statistic. Needs a database with the portal's migrations and seed.sql: node bench/portal/access.mjs postgres://…

import pg from 'pg';

const client = new pg.Client(process.argv[2] ?? 'postgres:///bench');
const ROUNDS = Number(process.argv[3] ?? 15);

// Superusers have no `perms` and no hidden rows, so their list has neither; everything else is the same work.
const columns = `r.id, r.uuid, r.resource_type, r.title, r.abstract, r.date, r.last_updated, r.is_published, r.srid,
  r.ll_bbox_polygon, (select c.identifier from portal.category c where c.id = r.category_id) as category,
  (select json_build_object('pk', a.id, 'username', a.username) from portal.account a where a.id = r.owner_id) as owner,
  array(select k.name from portal.resource_keyword rk join portal.keyword k on k.id = rk.keyword_id where rk.resource_id = r.id) as keywords,
  array(select g.code from portal.resource_region rr join portal.region g on g.id = rr.region_id where rr.resource_id = r.id) as regions`;
const page = (where, order) =>
  `with page as materialized (select r.id from portal.resource r ${where} order by ${order} limit 100)`;
const list = (where = '', order = 'r.last_updated desc, r.id desc') => ({
  bare: `${page(where, order)} select ${columns} from page join portal.resource r using (id) order by ${order}`,
  ruled: `${page(where, order)}, mine as materialized (select id as resource_id, portal.my_perms(id) as perms from page)
    select ${columns}, m.perms from page join portal.resource r using (id) left join mine m on m.resource_id = r.id order by ${order}`,
});
const total = (where = '') => ({
  bare: `select count(*) from portal.resource r ${where}`,
  ruled: `select count(*) from portal.resource r ${where}`,
});
const fastTotal = { bare: total().bare, ruled: 'select portal.visible_count()' };
const both = (name, where, order) => ({ name, statements: [list(where, order), total(where)] });

const superuserSearch = `where r.id in (select resource_id from portal_private.search_item where body like '%floods%' and body like '%atlas%')
  and r.ll_bbox_polygon && st_makeenvelope(0, 30, 40, 60, 4326)`;
const ruledSearch = `where r.id in (select portal.search_ids(array['floods', 'atlas'])) and r.ll_bbox_polygon && st_makeenvelope(0, 30, 40, 60, 4326)`;
const search = {
  name: 'search of two words within an extent, 100 with total',
  statements: [
    { bare: list(superuserSearch).bare, ruled: list(ruledSearch).ruled },
    { bare: total(superuserSearch).bare, ruled: total(ruledSearch).ruled },
  ],
};
const cases = [
  both('list of 100 with total'),
  { name: 'the same, total by visible_count', statements: [list(), fastTotal] },
  both('layers, list of 100 with total', "where r.resource_type = 'layer'"),
  both('list of 100 by title, with total', '', 'r.title, r.id'),
  both('one category, list of 100 with total', 'where r.category_id = 3'),
  { name: 'list of 100, total not asked', statements: [list()] },
  { name: 'total alone', statements: [total()] },
  { name: 'total alone by visible_count', statements: [fastTotal] },
  search,
  { name: 'item by id', statements: [list('where r.id = 77770')] },
];
const callers = [
  { name: 'superuser', role: null, sub: null },
  { name: 'visitor', role: 'survest_anon', sub: null },
  { name: 'account', role: 'survest_user', sub: '500' },
  { name: 'admin', role: 'survest_admin', sub: '1' },
];

async function timed(caller, run) {
  await client.query('begin');
  if (caller.role !== null) {
    await client.query(`set local role ${caller.role}`);
    await client.query("select set_config('request.jwt.claims', $1, true)", [
      JSON.stringify(caller.sub === null ? {} : { sub: caller.sub }),
    ]);
  }
  spent = 0;
  await run();
  const ms = spent;
  await client.query('rollback');
  return ms;
}

// Every message of the protocol (parse, bind, execute) reports what it took.
let spent = 0;
client.on('notice', (notice) => {
  const used = /([\d.]+) s user, ([\d.]+) s system/.exec(notice.detail ?? '');
  if (used !== null) spent += (Number(used[1]) + Number(used[2])) * 1000;
});
await client.connect();
await client.query("select set_config('client_min_messages', 'log', false)");
await client.query("select set_config('log_statement_stats', 'on', false)");
console.log(`| case | ${callers.map((c) => c.name).join(' ms | ')} ms | ratios |`);
console.log(`|---|${callers.map(() => '---:|').join('')}---|`);
for (const { name, statements } of cases) {
  const best = callers.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, caller] of callers.entries()) {
      const ms = await timed(caller, async () => {
        for (const [n, s] of statements.entries()) {
          // Named, so each is planned once per connection and role, as the service does.
          await client.query({
            text: caller.role === null ? s.bare : s.ruled,
            name: `${caller.name}-${cases.findIndex((c) => c.name === name)}-${n}`,
          });
        }
      });
      best[i] = Math.min(best[i], ms);
    }
  }
  const ratios = best.slice(1).map((ms) => (ms / best[0]).toFixed(1));
  console.log(`| ${name} | ${best.map((ms) => ms.toFixed(2)).join(' | ')} | ${ratios.join(' / ')} |`);
}

// Replacing the grants of one item.
const spec = (n) =>
  JSON.stringify({
    users: { user7: ['view_resourcebase'], [`user${n}`]: ['view_resourcebase', 'change_resourcebase'] },
    groups: { group5: ['view_resourcebase'] },
  });
let bestSet = Number.POSITIVE_INFINITY;
for (let round = 0; round < ROUNDS * 2; round++) {
  const ms = await timed({ role: 'survest_admin', sub: '1' }, () =>
    client.query({
      text: 'select portal.set_perms($1, $2)',
      name: 'set-perms',
      values: [5000 + round, spec(10 + round)],
    }),
  );
  bestSet = Math.min(bestSet, ms);
}
console.log(`\nset_perms on one item: ${bestSet.toFixed(2)} ms`);
await client.end();
