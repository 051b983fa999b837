// Random legal schemas, for proving that none of them stops the service: a seed in, the statements of one schema out, the same for
// the same seed. They are of all kinds that PostgreSQL has, with names of all kinds; some statements fail, because
// whether they are legal depends on what came before, and whoever runs them counts that most do not.

export type RandomSchema = { readonly name: string; readonly statements: readonly string[] };

type Column = { readonly name: string; readonly type: string };
type Relation = { readonly name: string; readonly columns: Column[]; readonly key: readonly Column[] };

/** A role without any rights. */
export const NOBODY = 'fuzz_nobody';

/** Outside of the schemas: made once in a database, by its superuser. */
export const WORLD = `
  do $$ begin create role fuzz_nobody nologin; exception when duplicate_object then null; end $$;
  create foreign data wrapper fuzz_wrapper;
  create server fuzz_server foreign data wrapper fuzz_wrapper;
  create function public.fuzz_trigger() returns trigger language plpgsql as $$ begin return new; end $$;
`;

const NAMES = [
  'plain',
  'select',
  'Mixed Case',
  'with "quotes"',
  "it's",
  'a.b',
  'a,b',
  'a(b)',
  'a:b',
  '*',
  '%41&x=1',
  'back\\slash',
  'new\nline',
  'Ünïcode',
  '日本語',
  '🗺️',
  ' ',
  '$1',
  '{a}',
  ':resno',
  'rpc',
  'x'.repeat(60),
  '0',
] as const;

const TYPES = [
  'integer',
  'bigint',
  'smallint',
  'text',
  'varchar(7)',
  'char(3)',
  '"char"',
  'name',
  'boolean',
  'numeric',
  'numeric(6,2)',
  'double precision',
  'date',
  'timestamptz',
  'time(3)',
  'interval day to second',
  'uuid',
  'bytea',
  'bit(5)',
  'varbit',
  'json',
  'jsonb',
  'xml',
  'inet',
  'point',
  'tsvector',
  'int4range',
  'int4multirange',
  'integer[]',
  'text[][]',
  'oid',
  'regclass',
] as const;

/** Mulberry32: small, and good enough to mix. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

export function randomSchema(seed: number): RandomSchema {
  return new SchemaMaker(seed).make();
}

class SchemaMaker {
  readonly #random: (below: number) => number;
  readonly #name: string;
  readonly #statements: string[] = [];
  readonly #types: string[] = [];
  readonly #domains: string[] = [];
  readonly #tables: Relation[] = [];
  readonly #views: Relation[] = [];
  #made = 0;

  constructor(seed: number) {
    this.#random = makeRandom(seed);
    this.#name = `fuzz ${seed}`;
  }

  make(): RandomSchema {
    this.#say(`create schema ${quote(this.#name)}`);
    this.#times(4, () => this.#makeType());
    this.#times(6, () => this.#makeTable());
    this.#times(6, () => this.#relate());
    this.#times(3, () => this.#makeHeirs());
    this.#times(7, () => this.#makeView());
    this.#times(7, () => this.#makeRoutine());
    this.#times(6, () => this.#change());
    return { name: this.#name, statements: this.#statements };
  }

  #say(statement: string): void {
    this.#statements.push(statement);
  }

  #times(most: number, what: () => void): void {
    for (let i = this.#random(most + 1); i > 0; i--) what();
  }

  #chance(oneIn: number): boolean {
    return this.#random(oneIn) === 0;
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#random(items.length)] as T;
  }

  /** A name that nothing else has. */
  #fresh(): string {
    this.#made += 1;
    const name = this.#pick(NAMES);
    return Buffer.byteLength(name) > 55 ? `${name.slice(0, 58)}${this.#made}` : `${name}${this.#made}`;
  }

  #in(name: string): string {
    return `${quote(this.#name)}.${quote(name)}`;
  }

  #anyType(): string {
    return this.#types.length > 0 && this.#chance(3) ? this.#pick(this.#types) : this.#pick(TYPES);
  }

  #makeType(): void {
    const name = this.#in(this.#fresh());
    switch (this.#random(4)) {
      case 0:
        this.#say(`create type ${name} as enum (${this.#pick(["'a'", "'a', 'b,c', 'd''e'", ''])})`);
        break;
      case 1: {
        const over = this.#domains.length > 0 && this.#chance(2) ? this.#pick(this.#domains) : this.#anyType();
        this.#say(
          `create domain ${name} as ${over}${this.#pick(['', ' not null', ' default null', ' check (value is not null)'])}`,
        );
        this.#domains.push(name);
        break;
      }
      case 2:
        this.#say(
          `create type ${name} as (${this.#pick(['', `a ${this.#anyType()}`, `a ${this.#anyType()}, b ${this.#anyType()}[]`])})`,
        );
        break;
      default:
        this.#say(`create type ${name} as range (subtype = ${this.#pick(['integer', 'text', 'date'])})`);
    }
    this.#types.push(name);
    if (this.#chance(4)) this.#types.push(`${name}[]`);
  }

  #makeTable(): void {
    const name = this.#fresh();
    const columns: Column[] = Array.from({ length: this.#random(8) }, () => ({
      name: this.#fresh(),
      type: this.#anyType(),
    }));
    const key: Column[] = [];
    if (!this.#chance(4)) {
      for (let i = this.#random(3); i >= 0; i--)
        key.push({ name: this.#fresh(), type: this.#pick(['integer', 'text', 'uuid']) });
    }
    const wide = this.#chance(40) ? Array.from({ length: 1500 }, (_, i) => `c${i} smallint`) : [];
    const parts = [
      ...[...key, ...columns].map((column) => `${quote(column.name)} ${column.type}${this.#extra(column)}`),
      ...wide,
      ...(key.length > 0 ? [`primary key (${key.map((column) => quote(column.name)).join(', ')})`] : []),
    ];
    this.#say(`create table ${this.#in(name)} (${parts.join(', ')})`);
    this.#tables.push({ name, columns: [...key, ...columns], key });
  }

  #extra({ type }: Column): string {
    switch (this.#random(12)) {
      case 0:
        return ' not null';
      case 1:
        return ' unique';
      case 2:
        return type === 'integer'
          ? this.#pick([' generated always as identity', ' generated by default as identity'])
          : '';
      case 3:
        return type === 'integer' ? ' generated always as (1 + 1) stored' : '';
      case 4:
        return ' default null';
      default:
        return '';
    }
  }

  /** Foreign keys of one or several columns, to others and to itself, and junctions of them. */
  #relate(): void {
    const targets = this.#tables.filter(({ key }) => key.length > 0);
    if (targets.length === 0) return;
    const target = this.#pick(targets);
    const list = (names: readonly string[]): string => names.map(quote).join(', ');
    if (this.#chance(3)) {
      const other = this.#pick(targets);
      const name = this.#fresh();
      const near = target.key.map(({ type }) => ({ name: this.#fresh(), type }));
      const far = other.key.map(({ type }) => ({ name: this.#fresh(), type }));
      const columns = [...near, ...far];
      this.#say(
        `create table ${this.#in(name)} (${columns.map((one) => `${quote(one.name)} ${one.type}`).join(', ')}, primary key (${list(columns.map((one) => one.name))}), foreign key (${list(near.map((one) => one.name))}) references ${this.#in(target.name)}, foreign key (${list(far.map((one) => one.name))}) references ${this.#in(other.name)})`,
      );
      this.#tables.push({ name, columns, key: columns });
      return;
    }
    const owner = this.#pick(this.#tables);
    const added = target.key.map(({ type }) => ({ name: this.#fresh(), type }));
    for (const { name, type } of added) {
      this.#say(`alter table ${this.#in(owner.name)} add column ${quote(name)} ${type}`);
      owner.columns.push({ name, type });
    }
    const columns = list(added.map(({ name }) => name));
    const constraint = quote(this.#fresh());
    this.#say(
      `alter table ${this.#in(owner.name)} add constraint ${constraint} foreign key (${columns}) references ${this.#in(target.name)}${this.#pick(['', ' deferrable', ' not valid', ' on delete cascade'])}`,
    );
    if (this.#chance(3)) this.#say(`alter table ${this.#in(owner.name)} add unique (${columns})`);
  }

  /** Inheritance, partitions, and partitions of partitions. */
  #makeHeirs(): void {
    const [name, first, second] = [this.#fresh(), this.#fresh(), this.#fresh()];
    if (this.#chance(2) && this.#tables.length > 0) {
      const parents = [...new Set([this.#pick(this.#tables), this.#pick(this.#tables)])];
      this.#say(
        `create table ${this.#in(name)} (own_${this.#made} int) inherits (${parents.map((one) => this.#in(one.name)).join(', ')})`,
      );
      this.#tables.push({ name, columns: [{ name: `own_${this.#made}`, type: 'int' }], key: [] });
      return;
    }
    this.#say(`create table ${this.#in(name)} (id int, part int, primary key (id, part)) partition by range (part)`);
    this.#say(
      `create table ${this.#in(first)} partition of ${this.#in(name)} for values from (0) to (10) partition by hash (id)`,
    );
    this.#say(
      `create table ${this.#in(second)} partition of ${this.#in(first)} for values with (modulus 2, remainder 0)`,
    );
    const columns = ['id', 'part'].map((column) => ({ name: column, type: 'integer' }));
    this.#tables.push({ name, columns, key: columns });
  }

  #makeView(): void {
    const name = this.#fresh();
    const all = [...this.#tables, ...this.#views];
    const kind = this.#chance(5) ? 'materialized view' : 'view';
    if (all.length === 0) {
      this.#say(`create ${kind} ${this.#in(name)} as select 1 as one`);
      return;
    }
    const from = this.#pick(all);
    const other = this.#pick(all);
    const own = this.#in(from.name);
    const shown: Column[] = [];
    const show = (alias: string, columns: readonly Column[], times: number): string[] =>
      columns.flatMap((column) =>
        Array.from({ length: times }, () => {
          const as = this.#fresh();
          shown.push({ name: as, type: column.type });
          return `${alias}.${quote(column.name)} as ${quote(as)}`;
        }),
      );
    const query = (): string => {
      switch (this.#random(9)) {
        case 0:
          shown.push(...from.columns);
          return `table ${own}`;
        case 1:
          return `select ${show('a', from.columns, 1 + this.#random(3)).join(', ')} from ${own} a`;
        case 2:
          return `select ${[...show('a', from.columns, 1), ...show('b', other.columns, 1)].join(', ')} from ${own} a cross join ${this.#in(other.name)} b`;
        case 3:
          return `select ${show('a', from.columns, 1).join(', ')} from ${own} a union all select ${show('a', from.columns, 1).join(', ')} from ${own} a`;
        case 4:
          return `with a as (select * from ${own}) select ${show('a', from.columns, 1).join(', ')} from a`;
        case 5:
          return `select a, count(*) over () as n from ${own} a`;
        case 6:
          return `select ${show('a', from.columns.slice(0, 2), 1).join(', ')} from (select * from ${own} offset 0) a`;
        case 7:
          return 'select';
        default:
          return `select ${show('a', from.columns.slice(0, 1), 6).join(', ')} from ${own} a`;
      }
    };
    const isPlain = kind === 'view';
    this.#say(`create ${kind} ${this.#in(name)} as ${query()}${isPlain || this.#chance(2) ? '' : ' with no data'}`);
    if (isPlain && this.#chance(4)) this.#makeCircle(name);
    if (isPlain && this.#chance(6))
      this.#say(
        `create trigger t instead of insert or update or delete on ${this.#in(name)} for each row execute function public.fuzz_trigger()`,
      );
    this.#views.push({ name, columns: shown, key: [] });
  }

  /** The view shows itself, or another one that shows it. */
  #makeCircle(name: string): void {
    if (this.#chance(2)) {
      this.#say(`create or replace view ${this.#in(name)} as table ${this.#in(name)}`);
      return;
    }
    const second = this.#fresh();
    this.#say(`create view ${this.#in(second)} as table ${this.#in(name)}`);
    this.#say(`create or replace view ${this.#in(name)} as table ${this.#in(second)}`);
  }

  #makeRoutine(): void {
    const name = this.#chance(4) ? `overloaded ${this.#random(2)}` : this.#fresh();
    const at = this.#in(name);
    const all = [...this.#tables, ...this.#views];
    const rows = all.length > 0 ? this.#in(this.#pick(all).name) : 'integer';
    const others = all.length > 0 ? this.#in(this.#pick(all).name) : 'integer';
    const argument = (): string =>
      `${this.#pick(['', 'in ', 'inout '])}${this.#chance(4) ? '' : `${quote(this.#fresh())} `}${this.#anyType()}${this.#pick(['', '', ' default null'])}`;
    const body = (result: string): string =>
      `language sql ${this.#pick(['stable', 'volatile', 'immutable'])} as $f$ select null::${result} $f$`;
    switch (this.#random(11)) {
      case 0:
        this.#say(`create function ${at}(${rows}) returns setof ${others} rows 1 ${body(others)}`);
        break;
      case 1:
        this.#say(`create function ${at}(${rows}) returns setof ${others} ${body(others)}`);
        break;
      case 2:
        this.#say(`create function ${at}(${rows}) returns text ${body('text')}`);
        break;
      case 3: {
        const type = this.#anyType();
        this.#say(
          `create function ${at}(${Array.from({ length: this.#random(5) }, argument).join(', ')}) returns ${type} ${body(type)}`,
        );
        break;
      }
      case 4:
        this.#say(`create function ${at}(variadic "many things" integer[]) returns setof integer ${body('integer')}`);
        break;
      case 5:
        this.#say(
          `create function ${at}(a anyelement, b anyarray default null) returns anyelement language sql as $f$ select a $f$`,
        );
        break;
      case 6:
        this.#say(
          `create function ${at}(a int default 1) returns table (x int, ${quote(this.#fresh())} text) language sql as $f$ select 1, 'x' $f$`,
        );
        break;
      case 7:
        this.#say(`create function ${at}(out a int, out b ${this.#anyType()}) language sql as $f$ select 1, null $f$`);
        break;
      case 8:
        this.#say(`create procedure ${at}(inout a int) language sql as $f$ select 1 $f$`);
        break;
      case 9:
        this.#say(`create function ${at}() returns trigger language plpgsql as $f$ begin return new; end $f$`);
        break;
      default:
        this.#say(
          `create function ${at}(${this.#pick(['json', 'text', 'bytea', 'a json'])}) returns void language sql set work_mem = '1MB' security definer as $f$ $f$`,
        );
    }
  }

  /** What happens to a schema with the years. */
  #change(): void {
    const [table] = this.#tables.length > 0 ? [this.#pick(this.#tables)] : [];
    if (table === undefined) return;
    const at = this.#in(table.name);
    const column = table.columns.length > 0 ? quote(this.#pick(table.columns).name) : 'nothing';
    const changes = [
      `alter table ${at} drop column ${column}`,
      `alter table ${at} rename column ${column} to ${quote(this.#fresh())}`,
      `alter table ${at} alter column ${column} set not null`,
      `alter table ${at} enable row level security`,
      `create policy p on ${at}`,
      `revoke all on ${at} from public, current_user`,
      `comment on table ${at} is ${literal(this.#pick(NAMES))}`,
      `comment on column ${at}.${column} is ${literal(this.#pick(NAMES))}`,
      `alter table ${at} add column ${quote(this.#fresh())} ${this.#anyType()}`,
      `create index on ${at} (${column})`,
      `create foreign table ${this.#in(this.#fresh())} (a int, b ${this.#anyType()}) server fuzz_server`,
      `create aggregate ${this.#in(this.#fresh())}(int) (sfunc = int4pl, stype = int, initcond = '0')`,
      // From PostgreSQL 18 on; refused before.
      `alter table ${at} add column ${quote(this.#fresh())} int generated always as (1 + 1) virtual`,
      // Its members are objects of the schema like others. One schema at a time has an extension, and not every server all.
      `create extension ${this.#pick(['citext', 'hstore', 'ltree', 'pg_trgm', 'cube'])} with schema ${quote(this.#name)}`,
      `create rule r as on insert to ${at} do also nothing`,
    ];
    this.#say(this.#pick(changes));
  }
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
