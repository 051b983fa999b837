import { describe, expect, test } from 'vitest';
import { atOnce } from '../../kernel/in-slices.ts';
import { dumpSchemaCache } from './dump.ts';
import { makeSchemaCache, type SchemaCacheParts } from './make-schema-cache.ts';
import type { Relationship, Routine, Table } from './schema-cache.ts';

const clients = table('api', 'clients');
const projects = table('api', 'projects');
const elsewhere = table('other', 'clients');
const first = routine('api', 'find', 'a');
const second = routine('api', 'find', 'b');
const toClients: Relationship = {
  kind: 'many-to-one',
  table: projects,
  tableIsView: false,
  foreign: clients,
  foreignIsView: false,
  isSelf: false,
  constraint: 'fk',
  columns: [['client_id', 'id']],
};
const parts: SchemaCacheParts = {
  schemas: ['api', 'other'],
  tables: [clients, projects, elsewhere],
  relationships: [toClients],
  computedColumns: [],
  routines: [first, second],
  routineMediaTypes: new Map([[second, 'text/html']]),
  mediaHandlers: [{ mediaType: 'text/csv', aggregate: { schema: 'api', name: 'csv' } }],
  representations: new Map([['api.color', { toJson: 'api.color_json', fromText: null, fromJson: null }]]),
  timezones: new Set(['UTC']),
  secured: [{ schema: 'api', name: 'clients' }],
};
const cache = atOnce(makeSchemaCache(parts));

describe('the schema cache', () => {
  test('finds relations by schema and name, exactly', () => {
    expect(cache.table('api', 'clients')).toBe(clients);
    expect(cache.table('other', 'clients')).toBe(elsewhere);
    expect(cache.table('api', 'Clients')).toBeUndefined();
    expect(cache.table('constructor', '__proto__')).toBeUndefined();
    expect(cache.tablesOf('api')).toEqual([clients, projects]);
    expect(cache.tablesOf('nowhere')).toEqual([]);
  });

  test('finds relationships by where they start', () => {
    expect(cache.relationshipsOf({ schema: 'api', name: 'projects' })).toEqual([toClients]);
    expect(cache.relationshipsOf(clients)).toEqual([]);
  });

  test('finds the overloads of a function', () => {
    expect(cache.routines('api', 'find')).toEqual([first, second]);
    expect(cache.routines('other', 'find')).toEqual([]);
    expect(cache.routinesOf('api')).toHaveLength(2);
    expect([first, second].map(cache.routineMediaType)).toEqual([undefined, 'text/html']);
  });

  test('suggests names of the schema asked in', () => {
    expect(cache.nearestTable('api', 'project')).toBe('projects');
    expect(cache.nearestTable('other', 'project')).toBeUndefined();
    expect(cache.nearestTable('nowhere', 'project')).toBeUndefined();
    expect(cache.nearestRoutine('api', 'fnd')).toBe('find');
    expect(cache.nearestRelatedTable('api', 'zzzz')).toBeUndefined();
    expect(cache.nearestRelatedTable('api', 'project')).toBe('projects');
    expect(cache.nearestOf(['aa', 'bb'], 'aab')).toBe('aa');
  });

  test('counts what it knows', () => {
    expect(cache.summary).toEqual({
      relations: 3,
      relationships: 1,
      routines: 2,
      representations: 1,
      mediaHandlers: 1,
      timezones: 1,
    });
  });
});

describe('the dump', () => {
  test('is one JSON document with all of it', () => {
    const dump = JSON.parse([...dumpSchemaCache(cache)].join(''));
    expect(Object.keys(dump)).toEqual([
      'dbTables',
      'dbRelationships',
      'dbRoutines',
      'dbRepresentations',
      'dbMediaHandlers',
      'dbTimezones',
    ]);
    expect(dump.dbTables.map((it: Table) => `${it.schema}.${it.name}`)).toEqual([
      'api.clients',
      'api.projects',
      'other.clients',
    ]);
    expect(dump.dbTables[0].columns).toEqual([...clients.columns.values()]);
    expect(dump.dbRelationships[0]).toMatchObject({
      kind: 'many-to-one',
      constraint: 'fk',
      columns: [['client_id', 'id']],
    });
    expect(dump.dbRoutines[1]).toMatchObject({
      name: 'find',
      mediaType: 'text/html',
      returns: { set: true, shape: { kind: 'record', columns: [{ name: 'n' }] } },
    });
    expect(dump.dbRepresentations).toEqual([
      { domain: 'api.color', toJson: 'api.color_json', fromText: null, fromJson: null },
    ]);
    expect(dump.dbTimezones).toEqual(['UTC']);
  });

  test('of nothing is empty lists', () => {
    const nothing: SchemaCacheParts = {
      schemas: ['api'],
      tables: [],
      relationships: [],
      computedColumns: [],
      routines: [],
      routineMediaTypes: new Map(),
      mediaHandlers: [],
      representations: new Map(),
      timezones: new Set(),
      secured: [],
    };
    const dump = [...dumpSchemaCache(atOnce(makeSchemaCache(nothing)))].join('');
    expect(Object.values(JSON.parse(dump))).toEqual([[], [], [], [], [], []]);
  });

  test('of much comes in pieces', () => {
    const many = { ...parts, tables: Array.from({ length: 2000 }, (_, i) => table('api', `table_${i}`)) };
    const pieces = [...dumpSchemaCache(atOnce(makeSchemaCache(many)))];
    expect(pieces.length).toBeGreaterThan(3);
    expect(JSON.parse(pieces.join('')).dbTables).toHaveLength(2000);
  });
});

function table(schema: string, name: string): Table {
  const id = {
    name: 'id',
    description: null,
    nullable: false,
    baseType: 'integer',
    nominalType: 'integer',
    maxLength: null,
    default: null,
    enumLabels: [],
    representation: null,
  };
  return {
    schema,
    name,
    kind: 'table',
    description: null,
    insertable: true,
    updatable: true,
    deletable: true,
    primaryKey: ['id'],
    columns: new Map([['id', id]]),
  };
}

function routine(schema: string, name: string, parameter: string): Routine {
  const column = { name: 'n', baseType: 'integer', nominalType: 'integer', representation: null };
  return {
    schema,
    name,
    description: null,
    parameters: [{ name: parameter, type: 'text', castType: 'text', required: true, variadic: false }],
    returns: { set: true, shape: { kind: 'record', columns: new Map([['n', column]]) } },
    volatility: 'stable',
    hasVariadic: false,
    isolation: null,
    settings: [],
  };
}
