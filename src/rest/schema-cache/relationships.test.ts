import { describe, expect, test } from 'vitest';
import { atOnce } from '../../kernel/in-slices.ts';
import type { KeyRow } from './catalogue-rows.ts';
import type { Related } from './key-ends.ts';
import { makeKeys } from './keys.ts';
import { type ComputedRelationship, makeRelationships } from './relationships.ts';
import type { Relationship } from './schema-cache.ts';
import type { ViewColumn } from './view-columns.ts';
import { makeViewKeys } from './view-keys.ts';

/** A small catalogue in words: relations with their columns, keys, and views with `column: 'table.column'`. */
type World = {
  readonly tables: Readonly<Record<string, readonly string[]>>;
  readonly primary?: Readonly<Record<string, readonly string[]>>;
  readonly unique?: Readonly<Record<string, readonly string[]>>;
  /** name → [from(columns), to(columns)] */
  readonly foreign?: Readonly<Record<string, readonly [string, string]>>;
  readonly views?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly computed?: readonly ComputedRelationship[];
  /** Relations that are there but not exposed. */
  readonly hidden?: readonly string[];
};

describe('keys', () => {
  const clientsAndProjects: World = {
    tables: { 'api.clients': ['id', 'name'], 'api.projects': ['id', 'client_id'] },
    primary: { 'api.clients': ['id'], 'api.projects': ['id'] },
    foreign: { fk: ['api.projects(client_id)', 'api.clients(id)'] },
  };

  test('give a many-to-one and, the other way, a one-to-many relationship', () => {
    expect(relate(clientsAndProjects)).toEqual([
      'clients one-to-many projects by fk: id=client_id',
      'projects many-to-one clients by fk: client_id=id',
    ]);
  });

  test('that are unique give a one-to-one relationship both ways', () => {
    expect(relate({ ...clientsAndProjects, unique: { 'api.projects': ['client_id'] } })).toEqual([
      'clients one-to-one projects by fk: id=client_id',
      'projects one-to-one clients by fk: client_id=id',
    ]);
  });

  test('of several columns pair them in key order', () => {
    const world: World = {
      tables: { 'api.orders': ['number', 'shop'], 'api.lines': ['shop_id', 'order_no'] },
      foreign: { fk: ['api.lines(shop_id,order_no)', 'api.orders(shop,number)'] },
    };
    expect(relate(world)).toEqual([
      'orders one-to-many lines by fk: shop=shop_id, number=order_no',
      'lines many-to-one orders by fk: shop_id=shop, order_no=number',
    ]);
  });

  test('to the own table are self relationships', () => {
    const world: World = {
      tables: { 'api.people': ['id', 'boss'] },
      foreign: { fk: ['api.people(boss)', 'api.people(id)'] },
    };
    expect(relate(world)).toEqual([
      'people one-to-many itself by fk: id=boss',
      'people many-to-one itself by fk: boss=id',
    ]);
  });

  test('across schemas, or from and to what is not exposed, give nothing', () => {
    expect(
      relate({
        tables: { 'api.clients': ['id'], 'other.invoices': ['client_id'] },
        foreign: { fk: ['other.invoices(client_id)', 'api.clients(id)'] },
      }),
    ).toEqual([]);
    expect(relate({ ...clientsAndProjects, hidden: ['api.clients'] })).toEqual([]);
    expect(relate({ ...clientsAndProjects, hidden: ['api.projects'] })).toEqual([]);
  });
});

describe('views', () => {
  const base: World = {
    tables: { 'api.clients': ['id', 'name'], 'api.projects': ['id', 'client_id'] },
    primary: { 'api.clients': ['id'], 'api.projects': ['id'] },
    foreign: { fk: ['api.projects(client_id)', 'api.clients(id)'] },
  };
  const withViews = (views: NonNullable<World['views']>, more: Partial<World> = {}) =>
    relate({ ...base, ...more, views }).filter((line) => /view|chain/.test(line));

  test('take the place of their tables on either side, and on both', () => {
    expect(
      withViews({
        'api.client_view': { cid: 'api.clients.id' },
        'api.project_view': { payer: 'api.projects.client_id' },
      }),
    ).toEqual([
      'clients one-to-many project_view by fk: id=payer',
      'projects many-to-one client_view by fk: client_id=cid',
      'client_view one-to-many project_view by fk: cid=payer',
      'client_view one-to-many projects by fk: cid=client_id',
      'project_view many-to-one client_view by fk: payer=cid',
      'project_view many-to-one clients by fk: payer=id',
    ]);
  });

  test('without the key column have no relationship', () => {
    expect(withViews({ 'api.client_view': { name: 'api.clients.name' } })).toEqual([]);
  });

  test('without all columns of a composite key have none by it', () => {
    const world: World = {
      tables: { 'api.orders': ['shop', 'number'], 'api.lines': ['shop', 'number'] },
      foreign: { fk: ['api.lines(shop,number)', 'api.orders(shop,number)'] },
      views: {
        'api.half_view': { shop: 'api.lines.shop' },
        'api.full_view': { n: 'api.lines.number', s: 'api.lines.shop' },
      },
    };
    expect(relate(world).filter((line) => line.includes('view'))).toEqual([
      'orders one-to-many full_view by fk: shop=s, number=n',
      'full_view many-to-one orders by fk: s=shop, n=number',
    ]);
  });

  test('of views are followed down to the table, also through views that are not exposed', () => {
    const views = {
      'lib.first_view': { a: 'api.projects.client_id' },
      'lib.second_view': { b: 'lib.first_view.a' },
      'api.chain': { c: 'lib.second_view.b' },
    };
    expect(withViews(views, { hidden: ['lib.first_view', 'lib.second_view'] })).toEqual([
      'clients one-to-many chain by fk: id=c',
      'chain many-to-one clients by fk: c=id',
    ]);
  });

  test('of views that are not looked into end there', () => {
    // `dark` is a relation like any other here: where its columns come from is not known.
    const views = { 'api.chain': { c: 'hidden.dark.a' } };
    expect(withViews(views, { tables: { ...base.tables, 'hidden.dark': ['a'] }, hidden: ['hidden.dark'] })).toEqual([]);
  });

  test('that show a key column twice have a relationship by each', () => {
    expect(
      withViews({ 'api.twice_view': { payer: 'api.projects.client_id', receiver: 'api.projects.client_id' } }),
    ).toEqual([
      'clients one-to-many twice_view by fk: id=payer',
      'clients one-to-many twice_view by fk: id=receiver',
      'twice_view many-to-one clients by fk: payer=id',
      'twice_view many-to-one clients by fk: receiver=id',
    ]);
  });

  test('that join both tables are related to themselves', () => {
    expect(withViews({ 'api.join_view': { client_id: 'api.projects.client_id', cid: 'api.clients.id' } })).toContain(
      'join_view many-to-one itself by fk: client_id=cid',
    );
  });

  test('inherit the primary keys they show, whole ones only', () => {
    const keys = primaryKeys({
      ...base,
      tables: { ...base.tables, 'api.orders': ['shop', 'number'] },
      primary: { ...base.primary, 'api.orders': ['number', 'shop'] },
      views: {
        'api.renamed': { other: 'api.clients.name', cid: 'api.clients.id' },
        'api.joined': { pid: 'api.projects.id', cid: 'api.clients.id' },
        'api.twice': { a: 'api.clients.id', b: 'api.clients.id' },
        'api.half': { shop: 'api.orders.shop' },
        'api.whole': { s: 'api.orders.shop', n: 'api.orders.number' },
      },
    });
    expect(keys).toEqual({ renamed: ['cid'], joined: ['pid', 'cid'], twice: ['a'], whole: ['n', 's'] });
  });
});

describe('junctions', () => {
  const tables = { 'api.users': ['id'], 'api.tasks': ['id'], 'api.joint': ['user_id', 'task_id', 'since'] };
  const foreign = { u: ['api.joint(user_id)', 'api.users(id)'], t: ['api.joint(task_id)', 'api.tasks(id)'] } as const;
  const joint = (primary: readonly string[], more: Partial<World> = {}) =>
    relate({ tables, foreign, primary: { 'api.joint': primary }, ...more }).filter((line) =>
      line.includes('many-to-many'),
    );

  test('whose primary key is made of two keys join their tables', () => {
    expect(joint(['user_id', 'task_id'])).toEqual([
      'users many-to-many tasks by joint: u id=user_id, t id=task_id',
      'tasks many-to-many users by joint: t id=task_id, u id=user_id',
    ]);
  });

  test('may have more columns in their primary key', () => {
    expect(joint(['since', 'task_id', 'user_id'])).toHaveLength(2);
  });

  test.each([
    ['no primary key', []],
    ['only one of the keys in it', ['user_id', 'since']],
    ['none of the keys in it', ['since']],
  ])('with %s join nothing', (_, primary) => {
    expect(joint(primary)).toEqual([]);
  });

  test('join nothing by a key that is one-to-one', () => {
    expect(joint(['user_id', 'task_id'], { unique: { 'api.joint': ['user_id'] } })).toEqual([]);
  });

  test('in another exposed schema are junctions, hidden ones are not', () => {
    const elsewhere: World = {
      tables: { 'api.users': ['id'], 'api.tasks': ['id'], 'other.joint': ['user_id', 'task_id'] },
      primary: { 'other.joint': ['user_id', 'task_id'] },
      foreign: { u: ['other.joint(user_id)', 'api.users(id)'], t: ['other.joint(task_id)', 'api.tasks(id)'] },
    };
    expect(relate(elsewhere)).toHaveLength(2);
    expect(relate({ ...elsewhere, hidden: ['other.joint'] })).toEqual([]);
    expect(
      relate({
        ...elsewhere,
        hidden: ['other.joint'],
        views: { 'api.joint_view': { x: 'other.joint.task_id', y: 'other.joint.user_id' } },
      }).filter((line) => line.includes('many-to-many')),
    ).toEqual([
      'users many-to-many tasks by joint_view: u id=y, t id=x',
      'tasks many-to-many users by joint_view: t id=x, u id=y',
    ]);
  });

  test('of a table with itself join it both ways', () => {
    const world: World = {
      tables: { 'api.people': ['id'], 'api.follows': ['a', 'b'] },
      primary: { 'api.follows': ['a', 'b'] },
      foreign: { fa: ['api.follows(a)', 'api.people(id)'], fb: ['api.follows(b)', 'api.people(id)'] },
    };
    expect(relate(world).filter((line) => line.includes('many-to-many'))).toEqual([
      'people many-to-many itself by follows: fa id=a, fb id=b',
      'people many-to-many itself by follows: fb id=b, fa id=a',
    ]);
  });
});

describe('computed relationships', () => {
  const world: World = {
    tables: { 'api.clients': ['id'], 'api.projects': ['id', 'client_id', 'payer_id'], 'api.tasks': ['project_id'] },
    foreign: {
      client: ['api.projects(client_id)', 'api.clients(id)'],
      payer: ['api.projects(payer_id)', 'api.clients(id)'],
      task: ['api.tasks(project_id)', 'api.projects(id)'],
    },
  };
  const fromProjects = (...computed: ComputedRelationship[]) =>
    relate({ ...world, computed }).filter((line) => line.startsWith('projects'));

  test('stand beside the detected ones', () => {
    expect(fromProjects(computed('api.projects', 'api.clients', 'api.best_client'))).toEqual([
      'projects many-to-one clients by client: client_id=id',
      'projects many-to-one clients by payer: payer_id=id',
      'projects one-to-many tasks by task: id=project_id',
      'projects computed clients by best_client',
    ]);
  });

  test('replace all detected ones to the table they are named like', () => {
    expect(fromProjects(computed('api.projects', 'api.clients', 'api.clients'))).toEqual([
      'projects one-to-many tasks by task: id=project_id',
      'projects computed clients by clients',
    ]);
  });

  test('replace by their name, whatever they return', () => {
    expect(fromProjects(computed('api.projects', 'api.clients', 'api.tasks'))).toEqual([
      'projects many-to-one clients by client: client_id=id',
      'projects many-to-one clients by payer: payer_id=id',
      'projects computed clients by tasks',
    ]);
  });

  test('leave the other side and other relations alone', () => {
    const all = relate({ ...world, computed: [computed('api.projects', 'api.clients', 'api.clients')] });
    expect(all).toContain('clients one-to-many projects by client: id=client_id');
    expect(all).toContain('tasks many-to-one projects by task: project_id=id');
  });
});

test('relationships of a relation stand in a fixed order, whatever the order of the catalogue', () => {
  const keys = {
    b: ['api.a(x)', 'api.b(id)'],
    a: ['api.a(y)', 'api.b(id)'],
    c: ['api.b(z)', 'api.a(id)'],
    m1: ['api.j(p)', 'api.a(id)'],
    m2: ['api.j(q)', 'api.b(id)'],
  } as const;
  const world: World = {
    tables: { 'api.a': ['id', 'x', 'y'], 'api.b': ['id', 'z'], 'api.j': ['p', 'q'] },
    primary: { 'api.j': ['p', 'q'] },
    foreign: keys,
  };
  const ordered = relate(world).filter((line) => line.startsWith('a '));
  expect(ordered).toEqual([
    'a one-to-many b by c: id=z',
    'a many-to-one b by a: y=id',
    'a many-to-one b by b: x=id',
    'a many-to-many b by j: m1 id=p, m2 id=q',
    'a one-to-many j by m1: id=p',
  ]);
  const reversed = Object.fromEntries(Object.entries(keys).reverse());
  expect(relate({ ...world, foreign: reversed }).filter((line) => line.startsWith('a '))).toEqual(ordered);
});

describe('where relationships would be too many', () => {
  const views = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`api.many${i}`, { id: 'api.many.id' }]));
  const world: World = {
    tables: {
      'api.many': ['id', 'other'],
      'api.few': ['id', 'many_id'],
      'api.a': ['id'],
      'api.j': ['a_id', 'many_id'],
    },
    primary: { 'api.many': ['id'], 'api.few': ['id'], 'api.a': ['id'], 'api.j': ['a_id', 'many_id'] },
    foreign: {
      popular: ['api.few(many_id)', 'api.many(id)'],
      lonely: ['api.j(a_id)', 'api.a(id)'],
      joined: ['api.j(many_id)', 'api.many(id)'],
    },
    views,
  };
  const { relations, keys, viewKeys } = build(world);
  const make = (most?: number) => atOnce(makeRelationships({ relations, keys, viewKeys, computed: [] }, most));

  test('there are all of them below the bound, and nothing is said', () => {
    const { relationships, omissions } = make();
    expect(relationships).toHaveLength(2 * 51 + 2 + 2 * 51 + 2 * 51);
    expect(omissions).toEqual([]);
  });

  test('those who make most are cut and named, tables go before views, and others have all of theirs', () => {
    const { relationships, omissions } = make(100);
    expect(relationships.length).toBeLessThanOrEqual(100);
    expect(omissions.map(({ what }) => what)).toEqual([
      'the foreign key popular of api.few',
      'the foreign key joined of api.j',
    ]);
    const lines = relationships.map(describeRelationship);
    expect(lines).toEqual(
      expect.arrayContaining([
        'few many-to-one many by popular: many_id=id',
        'j many-to-one a by lonely: a_id=id',
        'j many-to-one many by joined: many_id=id',
        'a many-to-many many by j: lonely id=a_id, joined id=many_id',
      ]),
    );
  });
});

function computed(from: string, to: string, routine: string): ComputedRelationship {
  return {
    kind: 'computed',
    table: identifier(from),
    tableIsView: false,
    foreign: identifier(to),
    foreignIsView: false,
    isSelf: from === to,
    routine: identifier(routine),
    toOne: false,
  };
}

function relate(world: World): string[] {
  const { relations, keys, viewKeys } = build(world);
  return atOnce(makeRelationships({ relations, keys, viewKeys, computed: world.computed ?? [] })).relationships.map(
    describeRelationship,
  );
}

function primaryKeys(world: World): Record<string, string[]> {
  const { relations, viewKeys } = build(world);
  const named = [...viewKeys.primary].map(([oid, columns]) => {
    const relation = relations.get(oid);
    return [relation?.identifier.name, columns.map((attnum) => relation?.columnNames[attnum - 1])];
  });
  return Object.fromEntries(named);
}

function build(world: World) {
  const columnsOf: Record<string, readonly string[]> = { ...world.tables };
  for (const [view, columns] of Object.entries(world.views ?? {})) columnsOf[view] = Object.keys(columns);
  const names = Object.keys(columnsOf);
  const oid = (name: string) => names.indexOf(name) + 1;
  const attnum = (relation: string, column: string) => (columnsOf[relation]?.indexOf(column) ?? -1) + 1;
  const attnums = (relation: string, columns: readonly string[]) => columns.map((column) => attnum(relation, column));

  const rows: KeyRow[] = [];
  const push = (
    kind: KeyRow['kind'],
    name: string,
    from: string,
    columns: readonly string[],
    to = '',
    far: readonly string[] = [],
  ) =>
    rows.push({
      oid: 1000 + rows.length,
      kind,
      name,
      relation: oid(from),
      columns: attnums(from, columns),
      foreignRelation: oid(to),
      foreignColumns: attnums(to, far),
    });
  for (const [table, columns] of Object.entries(world.primary ?? {})) push('p', 'pk', table, columns);
  for (const [table, columns] of Object.entries(world.unique ?? {})) push('u', 'uq', table, columns);
  for (const [name, [from, to]] of Object.entries(world.foreign ?? {})) {
    const [near, far] = [parseEnd(from), parseEnd(to)];
    push('f', name, near.relation, near.columns, far.relation, far.columns);
  }
  const views = new Map<number, ViewColumn[]>();
  for (const [view, columns] of Object.entries(world.views ?? {})) {
    const entries = Object.values(columns).map((source, i) => {
      const [schema, table, column = ''] = source.split('.');
      const origin = `${schema}.${table}`;
      return { column: i + 1, origin: oid(origin), originColumn: attnum(origin, column) };
    });
    views.set(oid(view), entries);
  }
  const keys = atOnce(makeKeys(rows));
  const relations = new Map<number, Related>();
  for (const name of names) {
    if (world.hidden?.includes(name) === true) continue;
    const isView = world.views?.[name] !== undefined;
    relations.set(oid(name), {
      oid: oid(name),
      identifier: identifier(name),
      isView,
      columnNames: columnsOf[name] ?? [],
    });
  }
  return { relations, keys, viewKeys: atOnce(makeViewKeys(views, keys)) };
}

function parseEnd(end: string): { relation: string; columns: string[] } {
  const [relation = '', columns = ''] = end.slice(0, -1).split('(');
  return { relation, columns: columns.split(',') };
}

function identifier(name: string): { schema: string; name: string } {
  const [schema = '', relation = ''] = name.split('.');
  return { schema, name: relation };
}

function describeRelationship(it: Relationship): string {
  const pairs = (columns: readonly (readonly [string, string])[]) => columns.map((pair) => pair.join('=')).join(', ');
  const ends = `${it.table.name} ${it.kind} ${it.isSelf ? 'itself' : it.foreign.name}`;
  switch (it.kind) {
    case 'computed':
      return `${ends} by ${it.routine.name}`;
    case 'many-to-many':
      return `${ends} by ${it.junction.name}: ${it.constraint} ${pairs(it.columns)}, ${it.foreignConstraint} ${pairs(it.foreignColumns)}`;
    default:
      return `${ends} by ${it.constraint}: ${pairs(it.columns)}`;
  }
}
