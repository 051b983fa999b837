// The picture of the portal's tables in src/portal/schema/README.md, drawn from tables.sql of every room. `--check` only says whether it is up to date.
// Usage: npm run schema-picture

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../src/portal/schema');
const README = join(FOLDER, 'README.md');
const [START, END] = ['<!-- picture of the tables: npm run schema-picture -->', '<!-- end of the picture -->'];
/** Nearly every table refers to these: they are signs at its name instead of lines. */
const SIGNS = new Map([
  ['portal.resource', '◆'],
  ['portal.account', '●'],
]);

const rooms = readdirSync(FOLDER)
  .filter((room) => existsSync(join(FOLDER, room, 'tables.sql')))
  .map((room) => ({ room, tables: tablesOf(readFileSync(join(FOLDER, room, 'tables.sql'), 'utf8')) }))
  .filter(({ tables }) => tables.length > 0);

const old = readFileSync(README, 'utf8');
const [head, rest = ''] = old.split(START);
const tail = rest.split(END)[1] ?? '';
const made = `${head}${START}\n\n${picture()}\n\n${END}${tail}`;
if (!old.includes(START)) throw new Error(`${README} has no place for the picture: ${START}`);
if (!process.argv.includes('--check')) writeFileSync(README, made);
else if (made !== old) {
  console.error('src/portal/schema/README.md shows other tables than there are: npm run schema-picture');
  process.exit(1);
}

/** Each table with what it refers to; foreign keys that are added later count for the table that they are added to. */
function tablesOf(sql) {
  const tables = new Map();
  for (const statement of withoutComments(sql).split(/;\s*\n/)) {
    const [, name] = /^\s*(?:create table(?: if not exists)?|alter table)\s+([\w.]+)/i.exec(statement) ?? [];
    if (name === undefined) continue;
    const found = [...statement.matchAll(/\breferences\s+([\w.]+)/gi)].map(([, other]) => other.toLowerCase());
    tables.set(name, [...new Set([...(tables.get(name) ?? []), ...found])]);
  }
  return [...tables].map(([name, references]) => ({ name, references }));
}

function withoutComments(sql) {
  return sql.replace(/--[^\n]*/g, '');
}

function picture() {
  const lines = ['```mermaid', 'flowchart LR'];
  const known = new Set(rooms.flatMap(({ tables }) => tables.map(({ name }) => name)));
  for (const { room, tables } of rooms) {
    lines.push(`  subgraph ${idOf(room)} ["${room}"]`);
    for (const { name, references } of tables.filter((table) => isMade(table.name, room))) {
      const signs = references.flatMap((other) => SIGNS.get(other) ?? []).join('');
      lines.push(
        `    ${idOf(name)}["${name.replace('portal_private.', '').replace('portal.', '')}${signs === '' ? '' : ` ${signs}`}"]`,
      );
    }
    lines.push('  end');
  }
  for (const { tables } of rooms)
    for (const { name, references } of tables)
      for (const other of references)
        if (known.has(other) && other !== name && !SIGNS.has(other)) lines.push(`  ${idOf(name)} --> ${idOf(other)}`);
  return [...lines, '```'].join('\n');
}

/** A room may add a key to the table of another. */
function isMade(name, room) {
  const sql = withoutComments(readFileSync(join(FOLDER, room, 'tables.sql'), 'utf8'));
  return new RegExp(`create table(?: if not exists)? ${name.replace('.', '\\.')}\\b`, 'i').test(sql);
}

function idOf(name) {
  return name.replace(/\W/g, '_');
}
