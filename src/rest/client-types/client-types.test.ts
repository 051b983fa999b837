import { describe, expect, test } from 'vitest';
import {
  column,
  manyToOne,
  parameter,
  routine,
  scalar,
  schemaCache,
  table,
} from '../../../test/fixtures/rest/hand-made-cache.ts';
import type { NamedType } from '../schema-cache/named-types.ts';
import type { SchemaCache } from '../schema-cache/schema-cache.ts';
import { makeClientTypes } from './make-client-types.ts';
import { writeJsonSchema } from './write-json-schema.ts';
import { writeTypescript } from './write-typescript.ts';

const NAMED: readonly NamedType[] = [
  { kind: 'enum', schema: 'test', name: 'mood', printed: 'test.mood', description: null, labels: ['sad', 'o"k'] },
  { kind: 'enum', schema: 'a.b', name: 'c', printed: '"a.b".c', description: null, labels: ['x'] },
  { kind: 'domain', schema: 'test', name: 'small', printed: 'test.small', description: null, base: 'integer' },
  { kind: 'domain', schema: 'test', name: 'loop', printed: 'test.loop', description: null, base: 'test.loop' },
  {
    kind: 'composite',
    schema: 'test',
    name: 'pair',
    printed: 'test.pair',
    description: null,
    columns: [['a', 'test.small[]']],
  },
];

const typescript = (cache: SchemaCache): string => writeTypescript(makeClientTypes(cache, NAMED));
const jsonSchema = (cache: SchemaCache): ReturnType<typeof JSON.parse> =>
  JSON.parse(writeJsonSchema(makeClientTypes(cache, NAMED)));

/** The lines of one member, without what stands around it. */
function memberOf(text: string, name: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.trim().startsWith(`${name}: `));
  const indent = /^ */.exec(lines[first] ?? '')?.[0] ?? '';
  const rest = lines.slice(first);
  const last = rest.findIndex((line) => line.startsWith(indent) && /^[^ ].*;$/.test(line.slice(indent.length)));
  return rest
    .slice(0, last + 1)
    .map((line) => line.slice(indent.length))
    .join('\n');
}

describe('values', () => {
  test.each([
    ['integer', 'number'],
    ['bigint', 'number'],
    ['numeric', 'number'],
    ['double precision', 'number'],
    ['boolean', 'boolean'],
    ['text', 'string'],
    ['bytea', 'string'],
    ['timestamp with time zone', 'string'],
    ['oid', 'string'],
    ['int4range', 'string'],
    ['jsonb', 'Json'],
    ['gis.geometry', 'Json'],
    ['integer[]', 'number[]'],
    ['test.small', 'number'],
    ['test.small[]', 'number[]'],
    ['test.mood', 'Database["test"]["Enums"]["mood"]'],
    ['test.mood[]', 'Database["test"]["Enums"]["mood"][]'],
    ['"a.b".c', 'OtherEnums["\\"a.b\\".c"]'],
    ['test.pair', 'Database["test"]["CompositeTypes"]["pair"]'],
    ['test.loop', 'Json'],
  ])('%s is %s', (type, expected) => {
    const cache = schemaCache({ tables: [table('t', [column('c', type, { nullable: false })])] });
    expect(memberOf(typescript(cache), 'Row')).toBe(`Row: {\n  c: ${expected};\n};`);
  });

  test('a column whose domain has a form of its own can be anything', () => {
    const painted = table('t', [column('c', 'integer', { representation: 'test.color' })]);
    expect(memberOf(typescript(schemaCache({ tables: [painted] })), 'Row')).toBe('Row: {\n  c: Json;\n};');
  });
});

describe('relations', () => {
  const shelves = table('shelves', [column('id', 'integer', { nullable: false })], { primaryKey: ['id'] });
  const slots = table('slots', [
    column('shelf', 'integer'),
    column('id', 'integer', { nullable: false }),
    column('made', 'text', { nullable: false, default: 'now()' }),
    column('area', 'integer', { nullable: false, generated: true }),
  ]);
  const cache = schemaCache({ tables: [slots, shelves], relationships: [manyToOne(slots, 'shelf', shelves, 'id')] });

  test('are written with what may be left out, and with their keys', () => {
    expect(memberOf(typescript(cache), 'slots')).toBe(`slots: {
  Row: {
    area: number;
    id: number;
    made: string;
    shelf: number | null;
  };
  Insert: {
    area?: never;
    id: number;
    made?: string;
    shelf?: number | null;
  };
  Update: {
    area?: never;
    id?: number;
    made?: string;
    shelf?: number | null;
  };
  Relationships: [
    {
      foreignKeyName: "slots_shelf_fkey";
      columns: ["shelf"];
      isOneToOne: false;
      referencedRelation: "shelves";
      referencedColumns: ["id"];
    },
  ];
};`);
  });

  test('are the same text in whatever order they are known', () => {
    const turned = schemaCache({ tables: [shelves, slots], relationships: [manyToOne(slots, 'shelf', shelves, 'id')] });
    expect(typescript(turned)).toBe(typescript(cache));
  });

  test('that are views which cannot be written have rows alone', () => {
    const view = table('v', [column('a', 'text')], { kind: 'view', insertable: false, updatable: false });
    expect(memberOf(typescript(schemaCache({ tables: [view] })), 'v')).toBe(
      'v: {\n  Row: {\n    a: string | null;\n  };\n  Relationships: [];\n};',
    );
  });

  test('are objects in JSON Schema', () => {
    const { slots: schema } = jsonSchema(cache).$defs.test.$defs.Tables.$defs;
    expect(schema).toMatchObject({
      type: 'object',
      required: ['area', 'id', 'made', 'shelf'],
      properties: { id: { type: 'integer' }, shelf: { type: ['integer', 'null'] } },
      additionalProperties: false,
      $defs: { Insert: { required: ['id'] }, Update: { required: [] } },
    });
    expect(Object.keys(schema.$defs.Insert.properties)).toEqual(['id', 'made', 'shelf']);
  });
});

describe('functions', () => {
  test('are written with arguments and results, overloads as a union', () => {
    const cache = schemaCache({
      routines: [
        routine('f', [parameter('b', 'test.mood', { required: false }), parameter('a', 'integer')]),
        routine('f', [], { returns: { set: true, shape: { kind: 'scalar', type: 'integer' } } }),
        routine('g', [], { returns: { set: false, shape: { kind: 'void' } } }),
        routine('h', [parameter('', 'json')], { returns: scalar('json') }),
      ],
    });
    expect(memberOf(typescript(cache), 'Functions')).toBe(`Functions: {
  f: {
    Args: never;
    Returns: number[];
  } | {
    Args: {
      a: number;
      b?: Database["test"]["Enums"]["mood"];
    };
    Returns: string;
  };
  g: {
    Args: never;
    Returns: undefined;
  };
  h: {
    Args: {
      "": Json;
    };
    Returns: Json;
  };
};`);
  });
});

describe('names and comments from the database', () => {
  const HOSTILE = ['"', "'", '*/', '`x`', 'a\nb', 'a\u2028b', '__proto__', 'constructor', '\\', '\\u0022', '//', 'ä'];
  const cache = schemaCache({
    tables: HOSTILE.map((name) =>
      table(name, [column(name, 'text', { description: name })], { description: `/** ${name} */ export {}; /*` }),
    ),
    routines: HOSTILE.map((name) => routine(name, [parameter(name, 'text')], { description: `*/ ${name}` })),
  });

  test('end no comment and no literal: without both nothing of them is left', () => {
    const code = typescript(cache)
      .replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
      .replaceAll(/"(?:[^"\\\n\u2028]|\\.)*"/g, 'quoted')
      .split('\n')
      .slice(3);
    for (const line of code) expect(line).toMatch(/^[\w\s{}[\]:;?|=,]*$/);
  });

  test('are members of the JSON Schema by the names they have', () => {
    const tables = jsonSchema(cache).$defs.test.$defs.Tables.$defs;
    expect(Object.keys(tables).sort()).toEqual([...HOSTILE].sort());
    for (const name of HOSTILE) expect(Object.keys(tables[name].properties)).toEqual([name]);
  });
});
