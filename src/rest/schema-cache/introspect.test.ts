import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { Batch, Driver } from '../../pg/driver.ts';
import { loadSchemaCache } from './introspect.ts';
import type { Relationship, SchemaCache, Table } from './schema-cache.ts';

const FIXTURE = fileURLToPath(new URL('./fixtures/catalogue.sql', import.meta.url));
const OPTIONS = { schemas: ['api', 'other'], extraSearchPath: ['lib'] };

onEachEngine('the schema cache of a database', { fixtures: [FIXTURE] }, (db) => {
  let cache: SchemaCache;
  beforeAll(async () => {
    cache = await load(db().driver);
  });
  const tableOf = (name: string, schema = 'api'): Table => {
    const found = cache.table(schema, name);
    if (found === undefined) throw new Error(`${schema}.${name} is missing`);
    return found;
  };

  describe('relations', () => {
    test.each([
      ['clients', 'table'],
      ['project_rows', 'view'],
      ['project_snapshot', 'materialized-view'],
      ['far_away', 'foreign-table'],
      ['logs', 'partitioned-table'],
    ])('%s is a %s', (name, kind) => {
      expect(tableOf(name).kind).toBe(kind);
    });

    test('are those of the exposed schemas, without partitions', () => {
      expect(cache.tablesOf('other').map(({ name }) => name)).toEqual(['clients', 'invoices', 'likes']);
      expect(cache.tablesOf('lib')).toEqual([]);
      expect(cache.tablesOf('hidden')).toEqual([]);
      expect(cache.tablesOf('api').filter(({ name }) => name.startsWith('logs_'))).toEqual([]);
    });

    test.each([
      ['clients', 'insert update delete'],
      ['logs', 'insert update delete'],
      ['project_rows', 'insert update delete'],
      ['project_union', ''],
      ['project_snapshot', ''],
      ['written_by_trigger', 'insert'],
      ['only_deletable', 'delete'],
      ['far_away', ''],
    ])('%s can be written by: %s', (name, can) => {
      const { insertable, updatable, deletable } = tableOf(name);
      const bits = [insertable && 'insert', updatable && 'update', deletable && 'delete'];
      expect(bits.filter(Boolean).join(' ')).toBe(can);
    });

    test.each([
      ['clients', ['id']],
      ['orders', ['shop', 'number']],
      ['order_lines', ['order_shop', 'order_number', 'line']],
      ['logs', ['id', 'day']],
      ['visits', []],
      ['project_rows', ['id']],
      ['project_names', ['pid']],
      ['project_chain', ['chained']],
      ['project_from_lib', ['lib_id']],
      ['project_from_hidden', []],
      ['project_snapshot', ['id']],
      ['project_titles', []],
      ['project_union', []],
      ['project_looks', []],
      ['project_deep', ['id']],
      ['project_clients', ['project_id', 'the_client']],
      ['line_twice', ['shop_a', 'order_number', 'line']],
      ['stars', ['fan_id', 'starred_id']],
      ['log_rows', ['id', 'day']],
      ['tasks_per_project', []],
    ])('the primary key of %s is %j', (name, key) => {
      expect(tableOf(name).primaryKey).toEqual(key);
    });

    test('have their comments', () => {
      expect(tableOf('clients').description).toBe('Clients\n\nWho pays.');
      expect(tableOf('clients').columns.get('name')?.description).toBe('As on the invoice');
      expect(tableOf('projects').description).toBeNull();
    });

    test('may have no columns, and do not have dropped ones', () => {
      expect(tableOf('no_columns').columns.size).toBe(0);
      expect([...tableOf('projects').columns.keys()]).toEqual(['id', 'name', 'client_id']);
    });

    test('may be called anything', () => {
      expect(tableOf('Escap3e;').primaryKey).toEqual(['so6meIdColumn']);
      expect([...tableOf('Escap3e;').columns.keys()]).toEqual(['so6meIdColumn', 'a"b']);
      expect(tableOf('موارد').primaryKey).toEqual(['هوية']);
      expect(tableOf('do$llar$s').primaryKey).toEqual(["' or true --"]);
    });
  });

  describe('columns', () => {
    const column = (name: string, table = 'columns') => {
      const found = tableOf(table).columns.get(name);
      if (found === undefined) throw new Error(`${name} is missing`);
      return found;
    };

    test.each([
      // column, base type, nominal type, longest
      ['id', 'bigint', 'bigint', null],
      ['fixed', 'character', 'character(5)', 5],
      ['one', 'character', 'character(1)', 1],
      ['varied', 'character varying', 'character varying(20)', 20],
      ['free', 'character varying', 'character varying', null],
      ['bits', 'bit', 'bit(4)', 4],
      ['varbits', 'bit varying', 'bit varying(9)', 9],
      ['price', 'numeric', 'numeric(12,2)', null],
      ['stamp', 'timestamp with time zone', 'timestamp(3) with time zone', null],
      ['mood', 'api.mood', 'api.mood', null],
      ['moods', 'api.mood[]', 'api.mood[]', null],
      ['small', 'integer', 'api.small', null],
      ['smallest', 'integer', 'api.smallest', null],
      ['code', 'character varying', 'api.code', 8],
      ['code_list', 'character varying[]', 'api.code[]', null],
      ['codes', 'character varying[]', 'api.codes', null],
      ['numbers', 'integer[]', 'api.numbers', null],
      ['words', 'tsvector', 'tsvector', null],
      ['pair', 'api.clients', 'api.clients', null],
      ['place', 'point', 'point', null],
    ])('%s is at base %s, by name %s, and %s long', (name, baseType, nominalType, maxLength) => {
      expect(column(name)).toMatchObject({ baseType, nominalType, maxLength });
    });

    test.each([
      ['id', "nextval('api.columns_id_seq')"],
      ['plain', '1'],
      ['stamp', 'now()'],
      ['counted', "nextval('hidden.counter'::regclass)"],
      ['mood', "'calm'::api.mood"],
      ['quo"te', "'it''s'::text"],
      ['small', '7'],
      ['smallest', '7'],
      ['small_with_default', '8'],
      ['always', null],
      ['doubled', null],
      ['free', null],
    ])('the default of %s is %s', (name, expected) => {
      expect(column(name).default).toBe(expected);
    });

    test('that only the database writes are told', () => {
      const generated = [...tableOf('columns').columns.values()].filter((it) => it.generated === true);
      expect(generated.map(({ name }) => name)).toEqual(['always', 'doubled']);
    });

    test.each([
      ['id', false],
      ['plain', true],
      ['counted', false],
      ['small', true],
      ['smallest', false],
    ])('%s may be null: %s', (name, nullable) => {
      expect(column(name).nullable).toBe(nullable);
    });

    test('have the labels of their enum, also through a domain', () => {
      expect(column('mood').enumLabels).toEqual(['calm', 'it\'s "ok"', 'غاضب']);
      expect(column('temper').enumLabels).toEqual(['calm', 'it\'s "ok"', 'غاضب']);
      expect(column('plain').enumLabels).toEqual([]);
    });

    test('of views have types as those of tables', () => {
      expect(column('fixed', 'columns_view')).toMatchObject({
        nominalType: 'character(5)',
        maxLength: 5,
        nullable: true,
      });
      expect(column('color', 'painted_view').representation).toBe('api.color');
    });

    test('of domains with implicit casts have a representation', () => {
      expect(column('color', 'painted').representation).toBe('api.color');
      expect(column('made', 'painted').representation).toBe('hidden.unixtime');
      expect(column('plain', 'painted').representation).toBeNull();
      expect(cache.representations.get('api.color')).toEqual({
        toJson: 'api."color\'s json"',
        fromText: 'api.color',
        fromJson: 'api.color',
      });
      expect(cache.representations.get('hidden.unixtime')).toEqual({
        toJson: 'hidden.unixtime_json',
        fromText: null,
        fromJson: null,
      });
    });
  });

  describe('relationships', () => {
    const between = (from: string, to: string, schema = 'api') =>
      cache
        .relationshipsOf({ schema, name: from })
        .filter((it) => it.foreign.name === to)
        .map(describeRelationship);

    test.each([
      [
        'projects',
        'tasks',
        ['one-to-many task_project id=project_id', 'main_task()', 'first_task()', 'recent_tasks()'],
      ],
      ['tasks', 'projects', ['many-to-one task_project project_id=id']],
      ['projects', 'briefs', ['one-to-one brief_project id=project_id']],
      ['briefs', 'projects', ['one-to-one brief_project project_id=id']],
      ['people', 'passports', ['one-to-one passport_owner id=owner_id']],
      ['passports', 'people', ['one-to-one passport_owner owner_id=id']],
      ['receipts', 'orders', ['one-to-one receipt_order shop=shop,number=number']],
      ['order_lines', 'orders', ['many-to-one line_order order_shop=shop,order_number=number']],
      ['badges', 'people', ['many-to-one badge_person person_id=id']],
      ['users', 'tasks', ['many-to-many users_tasks ut_user id=user_id ut_task id=task_id']],
      ['users', 'projects', ['many-to-many memberships member_user id=user_id member_project id=project_id']],
      ['users', 'people', []],
      [
        'people',
        'people',
        [
          'one-to-many person_boss id=boss_id self',
          'many-to-one person_boss boss_id=id self',
          'many-to-many follows follow_from id=follower follow_to id=followed self',
          'many-to-many follows follow_to id=followed follow_from id=follower self',
          'itself() self',
        ],
      ],
      ['موارد', 'موارد', ['one-to-many مفتاح هوية=والد self', 'many-to-one مفتاح والد=هوية self']],
    ])('of tables, from %s to %s', (from, to, expected) => {
      expect(between(from, to).toSorted()).toEqual(expected.toSorted());
    });

    test.each([
      ['project_rows', 'clients', ['many-to-one project_client client_id=id']],
      ['project_names', 'clients', ['many-to-one project_client customer=id']],
      ['clients', 'project_names', ['one-to-many project_client id=customer']],
      ['project_names', 'project_clients', ['many-to-one project_client customer=the_client']],
      ['project_chain', 'clients', ['many-to-one project_client customer=id']],
      ['project_from_lib', 'clients', ['many-to-one project_client lib_client=id']],
      ['project_from_hidden', 'clients', []],
      ['project_titles', 'clients', []],
      ['project_union', 'clients', []],
      ['project_union_inside', 'clients', []],
      ['project_looks', 'clients', []],
      ['project_snapshot', 'clients', ['many-to-one project_client client_id=id']],
      ['project_deep', 'clients', ['many-to-one project_client client_id=id']],
      ['tasks_per_project', 'projects', ['many-to-one task_project project_id=id']],
      ['project_tasks_by_name', 'projects', ['many-to-one task_project project_id=id']],
      ['project_twice', 'clients', ['many-to-one project_client payer=id', 'many-to-one project_client receiver=id']],
      [
        'line_twice',
        'orders',
        [
          'many-to-one line_order shop_a=shop,order_number=number',
          'many-to-one line_order shop_b=shop,order_number=number',
        ],
      ],
      [':resorigtbl 1 {x} (y)', 'clients', ['many-to-one project_client ):targetList ({TARGETENTRY :resno=id']],
      ['secrets', 'clients', ['many-to-one secret_client client_id=id']],
      ['project_names', 'briefs', ['one-to-one brief_project pid=project_id']],
    ])('of views, from %s to %s', (from, to, expected) => {
      expect(between(from, to)).toEqual(expected);
    });

    test('tell views from tables', () => {
      const [toView] = cache.relationshipsOf(tableOf('clients')).filter((it) => it.foreign.name === 'project_snapshot');
      expect(toView).toMatchObject({ tableIsView: false, foreignIsView: true });
      const [toTable] = cache.relationshipsOf(tableOf('project_names')).filter((it) => it.foreign.name === 'clients');
      expect(toTable).toMatchObject({ tableIsView: true, foreignIsView: false });
    });

    test('by partitioned tables are those of the parent, once', () => {
      expect(between('logs', 'clients')).toEqual(['many-to-one log_client client_id=id']);
      expect(between('clients', 'logs')).toEqual(['one-to-many log_client id=client_id']);
      expect(between('log_notes', 'logs')).toEqual(['many-to-one note_log log_id=id,log_day=day']);
      expect(between('log_rows', 'clients')).toEqual(['many-to-one log_client client_id=id']);
    });

    test('by a hidden junction go through the view of it', () => {
      expect(between('users', 'clients')).toEqual(['many-to-many stars star_user id=fan_id star_client id=starred_id']);
    });

    test('stay inside a schema, but a junction may be in another exposed one', () => {
      expect(between('clients', 'people')).toEqual([
        'many-to-many likes like_client id=client_id like_person id=person_id',
      ]);
      expect(between('clients', 'invoices')).toEqual([]);
      expect(between('invoices', 'clients', 'other')).toEqual(['many-to-one invoice_client client_id=id']);
      expect(cache.relationshipsOf(tableOf('invoices', 'other')).map(({ foreign }) => foreign.schema)).toEqual([
        'other',
      ]);
    });

    test('that are computed are to one or to many', () => {
      const computed = (from: string) =>
        cache
          .relationshipsOf(tableOf(from))
          .flatMap((it) => (it.kind === 'computed' ? [[it.routine.name, it.toOne]] : []));
      expect(computed('projects')).toEqual([
        ['clients', true],
        ['first_task', true],
        ['main_task', true],
        ['recent_tasks', false],
      ]);
      expect(computed('clients')).toEqual([['recent_tasks', false]]);
      expect(computed('project_names')).toEqual([['of_view', false]]);
    });

    test('that are computed replace the key they are named like, on that side', () => {
      expect(between('projects', 'clients')).toEqual(['clients()']);
      expect(between('clients', 'projects')).toEqual(['one-to-many project_client id=client_id']);
    });
  });

  describe('functions', () => {
    const only = (name: string, schema = 'api') => {
      const [routine, another] = cache.routines(schema, name);
      if (routine === undefined || another !== undefined) throw new Error(`${name} is not one function`);
      return routine;
    };

    test('have overloads, in the order they were made in', () => {
      const signatures = cache
        .routines('api', 'overloaded')
        .map(({ parameters }) => parameters.map(({ name, type, required }) => `${name} ${type}${required ? '' : '?'}`));
      expect(signatures).toEqual([[], ['a integer'], ['a text', 'b text?', 'c text?']]);
    });

    test.each(['two_unnamed', 'a_trigger', 'an_aggregate', 'invisible', 'two_rows'])('%s cannot be called', (name) => {
      expect(cache.routines('api', name)).toEqual([]);
    });

    test('procedures are called, too', () => {
      expect(only('a_procedure').procedure).toEqual({ outputs: [], outside: false });
    });

    test('with one unnamed parameter of any type are known, but not listed', () => {
      expect(cache.routines('api', 'unnamed_integer')).toMatchObject([{ unlisted: true }]);
      expect(cache.routinesOf('api').some(({ name }) => name === 'unnamed_integer')).toBe(false);
      expect(cache.nearestRoutine('api', 'unnamed_intege')).toBeUndefined();
    });

    test('are found in their schema', () => {
      expect(only('elsewhere', 'other').returns.shape).toEqual({ kind: 'scalar', type: 'integer' });
      expect(cache.routines('hidden', 'invisible')).toEqual([]);
      expect(only('Hostile\'; --"()').parameters[0]?.name).toBe('p; --');
    });

    test('print the types of their parameters, and cast to ones that cut nothing', () => {
      expect(only('chars').parameters.map(({ type, castType }) => [type, castType])).toEqual([
        ['character', 'character varying'],
        ['bit', 'bit varying'],
        ['character[]', 'character varying[]'],
        ['bit[]', 'bit varying[]'],
        ['"char"', '"char"'],
      ]);
      expect(only('typed').parameters.map(({ type }) => type)).toEqual([
        'api.mood',
        'api.mood[]',
        'api.smallest',
        'api.codes',
      ]);
      expect(only('many')).toMatchObject({
        hasVariadic: true,
        parameters: [{ name: 'v', type: 'text[]', variadic: true }],
      });
      expect(only('unnamed_json').parameters).toMatchObject([{ name: '', type: 'json' }]);
    });

    test.each([
      ['add_them', false, { kind: 'scalar', type: 'integer' }],
      ['numbers_set', true, { kind: 'scalar', type: 'integer' }],
      ['a_domain', false, { kind: 'scalar', type: 'api.smallest' }],
      ['nothing', false, { kind: 'void' }],
      ['a_record', false, { kind: 'record' }],
      ['a_client', false, { kind: 'composite', relation: { schema: 'api', name: 'clients' }, isAlias: false }],
      ['all_clients', true, { kind: 'composite', relation: { schema: 'api', name: 'clients' }, isAlias: false }],
      ['view_rows', true, { kind: 'composite', relation: { schema: 'api', name: 'project_names' }, isAlias: false }],
      ['a_checked_client', false, { kind: 'composite', relation: { schema: 'api', name: 'clients' }, isAlias: true }],
    ])('%s returns (set: %s) %j', (name, set, shape) => {
      expect(only(name).returns).toEqual({ set, shape });
    });

    test.each([
      ['one_out', ['b text']],
      ['outs', ['a integer', 'b text']],
      ['table_columns', ['id integer', 'words tsvector']],
      ['one_column', ['id integer']],
      ['a_pair', ['left_side integer', 'right_side character varying(4)']],
      ['a_checked_pair', ['left_side integer', 'right_side character varying(4)']],
      ['secret_rows', ['id integer', 'client_id integer', 'word text']],
    ])('%s returns the columns %j', (name, columns) => {
      const { shape } = only(name).returns;
      const known = shape.kind === 'record' || shape.kind === 'composite' ? shape.columns : undefined;
      expect([...(known?.values() ?? [])].map((it) => `${it.name} ${it.nominalType}`)).toEqual(columns);
    });

    test('tell what they promise and set', () => {
      expect(only('add_them')).toMatchObject({
        volatility: 'immutable',
        description: 'Adds',
        isolation: null,
        settings: [],
      });
      expect(only('all_clients').volatility).toBe('stable');
      expect(only('set_things')).toMatchObject({
        volatility: 'volatile',
        isolation: 'serializable',
        settings: [
          ['work_mem', '8MB'],
          ['default_transaction_isolation', 'SERIALIZABLE'],
          ['search_path', 'api, public'],
        ],
      });
    });

    test('declare a media type by their result', () => {
      const declared = ['page', 'anything', 'pages', 'add_them'].map((name) => cache.routineMediaType(only(name)));
      expect(declared).toEqual(['text/html', '*/*', undefined, undefined]);
    });
  });

  describe('media handlers', () => {
    const handler = (relation: string | undefined, mediaType: string) =>
      cache.mediaHandler(relation === undefined ? undefined : { schema: 'api', name: relation }, mediaType)?.aggregate;

    test.each([
      ['clients', 'text/html', { schema: 'api', name: 'clients_html' }],
      ['tasks', 'text/html', undefined],
      ['tasks', 'application/vnd.custom+xml', { schema: 'api', name: 'any_custom' }],
      [undefined, 'application/vnd.custom+xml', { schema: 'api', name: 'any_custom' }],
      ['projects', 'text/html', { schema: 'api', name: 'projects_any' }],
      ['projects', 'image/png', { schema: 'api', name: 'projects_any' }],
    ])('rows of %s as %s are made by %j', (relation, mediaType, aggregate) => {
      expect(handler(relation, mediaType)).toEqual(aggregate);
    });

    test('are aggregates of exposed schemas whose domain is named like a media type', () => {
      expect(cache.mediaHandlers.map(({ aggregate }) => aggregate.name).toSorted()).toEqual([
        'any_custom',
        'any_custom',
        'clients_html',
        'projects_any',
        'projects_html',
      ]);
    });
  });

  test('time zones are known by name', () => {
    expect(cache.timezones.has('UTC')).toBe(true);
    expect(cache.timezones.has('America/New_York')).toBe(true);
    expect(cache.timezones.has('Mars/Olympus')).toBe(false);
  });

  test('names are suggested from the schema', () => {
    expect(cache.nearestTable('api', 'project_name')).toBe('project_names');
    expect(cache.nearestTable('other', 'invoice')).toBe('invoices');
    expect(cache.nearestRoutine('api', 'add_then')).toBe('add_them');
  });

  describe('loading', () => {
    test('without any of the schemas there is an empty cache', async () => {
      const empty = await load(db().driver, { schemas: ['nowhere', 'a"b\\c', '{}', "'"], extraSearchPath: [] });
      expect(empty.summary).toMatchObject({ relations: 0, relationships: 0, routines: 0, mediaHandlers: 0 });
    });

    test('the configuration of full-text searches is known, unless a role has one of its own', async () => {
      const [row] = await db().query<{ name: string; me: string; here: string }>(
        `select current_setting('default_text_search_config') as name, quote_ident(current_user) as me, quote_ident(current_database()) as here`,
      );
      expect(cache.textSearch).toBe(row?.name);
      const setting = `alter role ${row?.me} in database ${row?.here}`;
      await db().script(`${setting} set default_text_search_config = 'simple'`);
      try {
        expect((await load(db().driver)).textSearch).toBeUndefined();
      } finally {
        await db().script(`${setting} reset default_text_search_config`);
      }
    });

    test('row security anywhere in the database is noticed', async () => {
      expect(cache.hasRowSecurity).toBe(false);
      await db().script('alter table hidden.secrets enable row level security');
      expect((await load(db().driver)).hasRowSecurity).toBe(true);
      await db().script('alter table hidden.secrets disable row level security');
    });

    test('a temporary table of the session cannot stand in for the catalogue', async () => {
      const shadowed = await load(
        prepared(db().driver, [
          'create temporary table if not exists pg_class (oid oid, relname name, relrowsecurity boolean)',
          'set search_path = pg_temp, api',
        ]),
      );
      expect(shadowed.summary).toEqual(cache.summary);
      expect(shadowed.table('api', 'columns')?.columns.get('mood')?.nominalType).toBe('api.mood');
    });

    test('a role without any rights sees the same, but for casts it may not execute', async () => {
      await db().script(`
        do $$ begin create role survest_test_nobody nologin; exception when duplicate_object then null; end $$;
        revoke execute on function api.color(text) from public;
      `);
      const seen = await load(prepared(db().driver, ['begin', 'set local role survest_test_nobody']));
      expect(seen.summary).toEqual(cache.summary);
      // The load's own BEGIN only warns inside a transaction, and so the role stays.
      expect(seen.representations.get('api.color')).toMatchObject({ fromText: null, fromJson: 'api.color' });
      await db().script('grant execute on function api.color(text) to public; drop role survest_test_nobody');
    });

    test('leaves nothing behind in the session', async () => {
      await load(db().driver);
      const settings = await db().driver.execute([
        { text: "select current_setting('search_path'), current_setting('statement_timeout')", params: [] },
        { text: 'create temporary table still_writable ()', params: [] },
      ]);
      expect(settings.ok && settings.value[0]?.rows[0]?.map(String)).toEqual(['"$user", public', '0']);
    });

    test('when nobody waits any more it is cancelled', async () => {
      const result = await loadSchemaCache(db().driver, { ...OPTIONS, signal: AbortSignal.abort() });
      expect(result).toEqual({ ok: false, error: { kind: 'cancelled' } });
    });

    test('what the database refuses is an error, not an exception', async () => {
      const broken = prepared(db().driver, ['begin', 'set transaction read write', 'select 1/0']);
      const result = await loadSchemaCache(broken, OPTIONS);
      expect(result).toMatchObject({ ok: false, error: { kind: 'sql', sqlstate: '25P02' } });
    });
  });
});

// The embedded engine is the newest PostgreSQL that is at hand.
onEachEngine('what PostgreSQL 18 brought', { engines: ['pglite'] }, (db) => {
  test('columns generated on reading are generated, keys of periods are no joins, keys not enforced are', async () => {
    await db().script(`
      create schema api;
      create table api.prices (item int4range, valid daterange, primary key (item, valid without overlaps));
      create table api.sales (
        id integer primary key,
        item int4range,
        valid daterange,
        doubled integer generated always as (id * 2) virtual,
        other_id integer constraint trusted references api.sales not enforced,
        constraint temporal foreign key (item, period valid) references api.prices (item, period valid)
      );
    `);
    const cache = await load(db().driver, { schemas: ['api'], extraSearchPath: [] });
    expect(cache.table('api', 'sales')?.columns.get('doubled')).toMatchObject({ generated: true, default: null });
    expect(cache.table('api', 'prices')?.primaryKey).toEqual(['item', 'valid']);
    expect(cache.relationshipsOf({ schema: 'api', name: 'sales' }).map(describeRelationship)).toEqual([
      'one-to-many trusted id=other_id self',
      'many-to-one trusted other_id=id self',
    ]);
    expect(cache.relationshipsOf({ schema: 'api', name: 'prices' })).toEqual([]);
  });
});

async function load(driver: Driver, options = OPTIONS): Promise<SchemaCache> {
  const loaded = await loadSchemaCache(driver, options);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value;
}

/** The same driver, whose held sessions have run these statements first; their settings are undone at the end. */
function prepared(driver: Driver, statements: readonly string[]): Driver {
  const batch: Batch = statements.map((text) => ({ text, params: [] }));
  return {
    ...driver,
    hold: (work, options) =>
      driver.hold(async (session) => {
        await session.execute(batch);
        try {
          return await work(session);
        } finally {
          for (const text of ['rollback', 'reset search_path', 'drop table if exists pg_temp.pg_class']) {
            await session.execute([{ text, params: [] }]);
          }
        }
      }, options),
  };
}

function describeRelationship(it: Relationship): string {
  const self = it.isSelf ? ' self' : '';
  const pairs = (columns: readonly (readonly [string, string])[]) => columns.map((pair) => pair.join('=')).join();
  switch (it.kind) {
    case 'computed':
      return `${it.routine.name}()${self}`;
    case 'many-to-many':
      return `${it.kind} ${it.junction.name} ${it.constraint} ${pairs(it.columns)} ${it.foreignConstraint} ${pairs(it.foreignColumns)}${self}`;
    default:
      return `${it.kind} ${it.constraint} ${pairs(it.columns)}${self}`;
  }
}
