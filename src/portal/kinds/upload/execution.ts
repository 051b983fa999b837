// Uploads as newer clients of GeoNode list them (`/api/v2/executionrequest`): what the list is filtered, sorted and searched by. What a record
// looks like, `uploads/execution-request.ts` says.

import { empty, raw } from '../../../sql/index.ts';
import type { Sql } from '../../fields/bound-value.ts';
import { makeRecordType, type RecordType } from '../../fields/field.ts';
import { computed, shownColumn } from '../../fields/field-makers.ts';
import type { Collection } from '../../operations/collection.ts';

export const EXECUTION_STATUSES = ['ready', 'running', 'failed', 'finished'] as const;
export const EXECUTION_ACTIONS = ['upload', 'replace', 'append', 'process'] as const;

const statusOf = (row: string): Sql =>
  raw(
    `(case when ${row}.state = 'READY' or ${row}.state = 'PENDING' and portal.upload_step(${row}.id) is null then 'ready' when ${row}.state = 'PROCESSED' then 'finished' when ${row}.state in ('INVALID', 'INCOMPLETE') then 'failed' else 'running' end)`,
  );
const actionOf = (row: string): Sql =>
  raw(
    `(case when ${row}.session ? 'process' then 'process' when ${row}.session ->> 'update_mode' = 'REPLACE' then 'replace' when ${row}.session ->> 'update_mode' = 'APPEND' then 'append' else 'upload' end)`,
  );
const stepOf = (row: string): Sql =>
  raw(`(case ${row}.state when 'WAITING' then 'waiting' else portal.upload_step(${row}.id) end)`);
const userOf = (row: string): Sql => raw(`(select a.username from portal.account a where a.id = ${row}.user_id)`);
const resourceOf = (row: string): Sql => raw(`(case ${row}.state when 'PROCESSED' then ${row}.resource_id end)`);
const progressOf = (row: string): Sql => raw(`portal.upload_progress(${row}.id)`);
const source = (): Sql => raw("'upload'::text");

const execution: RecordType = makeRecordType('request', 'requests', [
  shownColumn('id', { kind: 'integer' }, 'Id of the upload.'),
  shownColumn('exec_id', { kind: 'uuid' }, 'Under which it is asked for.', { column: 'execution_id' }),
  shownColumn('name', { kind: 'text' }, 'Name of the layer.'),
  computed('user', { kind: 'text' }, 'Who sent it.', userOf, { value: userOf, nullable: true }),
  computed('status', { kind: 'choice', choices: EXECUTION_STATUSES }, 'How far it is.', statusOf, { value: statusOf }),
  computed('source', { kind: 'text' }, 'Where it comes from.', source, { value: source }),
  computed('action', { kind: 'choice', choices: EXECUTION_ACTIONS }, 'What is done.', actionOf, { value: actionOf }),
  computed('func_name', { kind: 'choice', choices: EXECUTION_ACTIONS }, 'The same.', actionOf, { value: actionOf }),
  computed('step', { kind: 'text' }, 'What the import is doing.', stepOf, { value: stepOf, nullable: true }),
  computed('progress', { kind: 'number' }, 'Progress in percent.', progressOf, { value: progressOf }),
  shownColumn('created', { kind: 'datetime' }, 'When it was sent.', { column: 'create_date' }),
  shownColumn('finished', { kind: 'datetime' }, 'When it came to an end.', { nullable: true }),
  computed('geonode_resource', { kind: 'integer' }, 'Id of the layer.', resourceOf, {
    value: resourceOf,
    nullable: true,
  }),
]);

export const executions: Collection = {
  path: '/api/v2/executionrequest',
  list: execution.plural,
  item: execution.name,
  about: 'Imports of layers as newer clients follow them: one’s own, and all of them to administrators.',
  recordType: execution,
  source: {
    row: 'u',
    table: raw('portal.upload u'),
    joins: empty,
    key: raw('u.id'),
    where: [],
    order: { value: raw('u.create_date'), isDescending: true },
    isCatalogue: false,
  },
  rules: { recordType: execution, searched: ['name'], hasExtent: false, hasFavourites: false, full: [] },
  visitors: 'refused',
  listed: [],
  valuePaths: {},
  writer: undefined,
};
