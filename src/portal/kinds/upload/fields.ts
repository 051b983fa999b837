// Uploads: imports of layers, from the files somebody sent to the finished layer.

import { raw, sql } from '../../../sql/index.ts';
import { BASE, type BoundValue } from '../../fields/bound-value.ts';
import { makeRecordType, type RecordType, type Relation } from '../../fields/field.ts';
import { computed, many, one, shownColumn, writtenColumn } from '../../fields/field-makers.ts';
import { layer } from '../layer/fields.ts';

const UPLOAD_STATES: readonly string[] = [
  'READY',
  'PENDING',
  'WAITING',
  'RUNNING',
  'COMPLETE',
  'PROCESSED',
  'INVALID',
  'INCOMPLETE',
];

const uploadFile: RecordType = makeRecordType('upload_file', 'upload_files', [
  shownColumn('pk', { kind: 'integer' }, 'Id of the file.', { column: 'id' }),
  shownColumn('name', { kind: 'text' }, 'Name of the file.'),
  shownColumn('slug', { kind: 'text' }, 'The name as it stands in addresses.'),
  shownColumn('base', { kind: 'boolean' }, 'The main file of the layer.'),
  computed(
    'file',
    { kind: 'text', format: 'uri' },
    'Address of the file.',
    (row) =>
      sql<BoundValue>`${BASE} || '/api/v2/uploads/' || ${raw(`${row}.upload_id`)} || '/files/' || ${raw(`${row}.id`)}`,
  ),
]);

const progressOf = (row: string) => raw(`portal.upload_progress(${row}.id)`);

/** Empty until the layer exists. */
const filesOfUpload: Relation = {
  recordType: () => uploadFile,
  rows: (outer, inner) => ({
    from: raw(`portal.upload_file ${inner}`),
    on: raw(`${inner}.upload_id = ${outer}.id and ${outer}.resource_id is not null`),
  }),
  order: (inner) => raw(`${inner}.id`),
};

const layerOfUpload: Relation = {
  recordType: () => layer,
  rows: (outer, inner) => ({
    from: raw(`portal.resource ${inner}`),
    on: raw(`${inner}.id = ${outer}.resource_id and ${inner}.resource_type = 'layer'`),
  }),
};

/** What the steps of an import know, with nothing of the server's own paths. */
const SESSION_MEMBERS = [
  'charset',
  'permissions',
  'time_transforms',
  'update_mode',
  'time',
  'layer_title',
  'layer_abstract',
  'completed_step',
  'error_msg',
  'upload_type',
  'time_info',
  'mosaic',
  'append_to_mosaic_opts',
  'append_to_mosaic_name',
  'mosaic_time_regex',
  'mosaic_time_value',
  'import_session',
  'warnings',
] as const;

export const upload: RecordType = makeRecordType('upload', 'uploads', [
  shownColumn('id', { kind: 'integer' }, 'Upload id.'),
  writtenColumn('name', { kind: 'text', max: 64 }, 'Layer name.', { required: true }),
  shownColumn('date', { kind: 'datetime' }, 'Start of the import.'),
  shownColumn('create_date', { kind: 'datetime' }, 'Creation of the upload.'),
  shownColumn('user', { kind: 'integer' }, 'Id of the user.', { column: 'user_id', nullable: true }),
  shownColumn('state', { kind: 'text', max: 16, upperCase: true }, `State of the import: ${UPLOAD_STATES.join(', ')}.`),
  computed('progress', { kind: 'number' }, 'Progress in percent.', progressOf, { value: progressOf }),
  shownColumn('complete', { kind: 'boolean' }, 'The import is done.'),
  shownColumn('import_id', { kind: 'integer' }, 'Id of the import in the map server.', { nullable: true }),
  many('uploadfile_set', 'Uploaded files; empty until the layer exists.', filesOfUpload),
  computed(
    'resume_url',
    { kind: 'text' },
    'Where to answer, while a question is open.',
    (row) => raw(`case when ${row}.state = 'WAITING' then '/upload/?id=' || ${row}.import_id end`),
    { nullable: true },
  ),
  computed(
    'delete_url',
    { kind: 'text' },
    'Where to delete the import, until it is done.',
    (row) => raw(`case when ${row}.state <> 'PROCESSED' then '/upload/delete/' || ${row}.id end`),
    { nullable: true },
  ),
  computed(
    'import_url',
    { kind: 'text', format: 'uri' },
    'Where the map server tells how far it is.',
    (row) =>
      sql<BoundValue>`case when ${raw(`${row}.state`)} <> 'INVALID' then ${BASE} || '/mapserver/rest/imports/' || ${raw(`${row}.import_id`)} end`,
    { nullable: true },
  ),
  computed(
    'detail_url',
    { kind: 'text', format: 'uri' },
    'Page of the layer, once it is there.',
    (row) =>
      sql<BoundValue>`(select ${BASE} || '/layers/' || coalesce(l.store || ':', '') || l.alternate from portal.resource l where l.id = ${raw(`${row}.resource_id`)} and ${raw(`${row}.state`)} = 'PROCESSED')`,
    { nullable: true },
  ),
  one('layer', 'The layer; only with `full=true`.', layerOfUpload, { deferred: true }),
  computed(
    'session',
    { kind: 'json' },
    'What was asked for and answered; only with `full=true`.',
    (row) =>
      raw(
        `json_build_object('name', ${row}.name, ${SESSION_MEMBERS.map((name) => `'${name}', ${row}.session -> '${name}'`).join(', ')})`,
      ),
    { deferred: true },
  ),
]);
