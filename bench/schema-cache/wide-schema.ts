// Makes a schema as wide as asked: tables with a key, a reference to another table and columns of many types, and views
// and functions over them. Yields scripts of a few hundred statements each, so that no transaction holds every lock.

const COLUMNS = [
  "name text not null default ''",
  'amount numeric(12,2)',
  'code character varying(20)',
  'made_at timestamp with time zone default now()',
  'is_open boolean not null default true',
  'tags text[]',
  'notes jsonb',
  'ratio double precision',
  'day date',
  'mood wide.mood',
  'short_code wide.short_code',
];

const PER_SCRIPT = 200;

export type SchemaSize = {
  readonly tables?: number;
  readonly columns?: number;
  readonly foreignKeys?: number;
  readonly views?: number;
  readonly functions?: number;
};

export function* wideSchema(size: SchemaSize = {}): Generator<string> {
  const { tables = 10_000, columns = 10, foreignKeys = tables, views = 0, functions = 0 } = size;
  yield `create schema wide;
    create type wide.mood as enum ('calm', 'stormy');
    create domain wide.short_code as character(5) default 'aaaaa';`;
  yield* scripts(tables, (i) => {
    const others = Array.from({ length: Math.max(0, columns - 2) }, (_, j) => {
      const column = COLUMNS[(i + j) % COLUMNS.length] ?? '';
      return j < COLUMNS.length ? column : column.replace(/^\w+/, `$&_${j}`);
    });
    return `create table wide.${tableName(i)} (${['id bigint primary key', 'other_id bigint', ...others].join(', ')});
      comment on table wide.${tableName(i)} is 'Table number ${i}';`;
  });
  yield* scripts(foreignKeys, (i) => {
    // Several keys point at the same few tables, as they do in life: every hundredth table is a popular one.
    const target = i % 2 === 0 ? (i * 7 + 1) % tables : Math.floor(((i * 13) % tables) / 100) * 100;
    const round = Math.floor(i / tables);
    return `alter table wide.${tableName(i % tables)} add constraint fk_${i} foreign key (other_id) references wide.${tableName(target)} (id)${round > 0 ? ' on delete cascade' : ''};`;
  });
  yield* scripts(views, (i) => {
    const table = tableName(i % tables);
    return i % 3 === 0
      ? `create view wide.view_${i} as select t.*, o.id as far_id from wide.${table} t left join wide.${tableName((i + 1) % tables)} o on o.id = t.other_id;`
      : `create view wide.view_${i} as select * from wide.${table};`;
  });
  yield* scripts(
    functions,
    (i) =>
      `create function wide.find_${i}(wanted bigint, most integer default 10) returns setof wide.${tableName(i % tables)} stable language sql as 'select * from wide.${tableName(i % tables)} where id = wanted limit most';`,
  );
}

function tableName(i: number): string {
  const words = [
    'orders',
    'invoices',
    'people',
    'parcels',
    'roads',
    'readings',
    'sensors',
    'plans',
    'permits',
    'events',
  ];
  return `${words[i % words.length]}_${String(i).padStart(5, '0')}`;
}

function* scripts(count: number, statement: (i: number) => string): Generator<string> {
  for (let from = 0; from < count; from += PER_SCRIPT) {
    const to = Math.min(count, from + PER_SCRIPT);
    yield Array.from({ length: to - from }, (_, j) => statement(from + j)).join('\n');
  }
}
