// What the addresses of uploads say of themselves: forms with files, and what is asked and answered until the layer is there.

import type { Text } from '../description/language.ts';
import { ANSWER_TEXTS, type Described, jsonContent, type Parameter } from '../description/operation.ts';
import { reference, type Schema } from '../description/schema.ts';

const TEXT: Schema = { type: 'string' };
const FILE: Schema = { type: 'string', format: 'binary' };

const WISHES: Readonly<Record<string, Schema>> = {
  layer_title: { type: 'string', maxLength: 255, description: 'Also as `dataset_title` or `title`.' },
  abstract: { type: 'string', maxLength: 2000 },
  permissions: { type: 'string', description: 'JSON: `{"users": {"ada": ["view_resourcebase"]}, "groups": {}}`.' },
  time: { type: 'string', enum: ['true', 'false'] },
  charset: TEXT,
  crs: { type: 'string', example: 'EPSG:4326' },
  x: { type: 'string', description: 'Column with the first coordinate, also as `lng`.' },
  y: { type: 'string', description: 'Column with the second coordinate, also as `lat`.' },
  wkt: { type: 'string', description: 'Column with geometries.' },
  places: { type: 'string', enum: ['none'], description: 'A table (CSV, Excel) whose rows have no places.' },
  sheet: { type: 'string', description: 'Sheet of a workbook; without it, every sheet of a plain table becomes one.' },
  missing: {
    type: 'string',
    enum: ['keep', 'empty', 'ask'],
    description:
      'What becomes of columns with values of a layer whose rows are replaced, and that the file lacks. Without it, the file is refused.',
  },
  key: { type: 'string', description: 'With `missing=keep`: the column by which rows are found again.' },
};

const FORM: Schema = {
  type: 'object',
  properties: {
    base_file: { ...FILE, description: 'The main file; a single file may have any name.' },
    dbf_file: FILE,
    shx_file: FILE,
    prj_file: FILE,
    sld_file: { ...FILE, description: 'A style.' },
    xml_file: { ...FILE, description: 'A description: ISO 19139 or FGDC.' },
    sent_files: {
      type: 'string',
      description:
        'Ids of files that were sent part by part (`/api/v2/uploads/files/`), with commas between, the main file first; in place of files.',
    },
    ...WISHES,
  },
};

const NUMBER_OR_NOTHING: Schema = { type: 'number', nullable: true };

const EMPTY: Schema = {
  type: 'object',
  description: 'A dataset without features: no files are sent.',
  properties: {
    action: { type: 'string', enum: ['create'] },
    title: { type: 'string', maxLength: 255 },
    geom: { type: 'string', enum: ['Point', 'LineString', 'Polygon'] },
    attributes: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          type: { type: 'string', enum: ['string', 'integer', 'float', 'date'] },
          nillable: { type: 'boolean', default: false },
          options: { type: 'array', nullable: true, items: {}, description: 'The values that it may have.' },
          range: { type: 'object', nullable: true, properties: { min: NUMBER_OR_NOTHING, max: NUMBER_OR_NOTHING } },
        },
        required: ['type'],
        additionalProperties: false,
      },
    },
    permissions: { type: 'object', additionalProperties: true },
  },
  required: ['title', 'geom', 'attributes'],
};

const ACCEPTED: Schema = {
  type: 'object',
  properties: {
    id: { type: 'integer', description: 'Number of the import, for `/upload/final?id=`.' },
    upload_id: { type: 'integer' },
    execution_id: { type: 'string', format: 'uuid' },
    success: { type: 'boolean' },
    status: { type: 'string', enum: ['pending', 'finished'] },
    url: TEXT,
    redirect_to: TEXT,
    meta: reference('Ignored'),
  },
  required: ['id', 'upload_id', 'execution_id', 'success', 'status', 'url', 'redirect_to'],
  additionalProperties: false,
};

const WARNINGS: Schema = {
  type: 'array',
  items: TEXT,
  description: 'What was read or is drawn in another way than the files have it, such as a symbol of a style.',
};

const FINAL: Schema = {
  type: 'object',
  properties: {
    upload_id: { type: 'integer' },
    state: TEXT,
    status: { type: 'string', enum: ['finished', 'pending', 'incomplete', 'error'] },
    success: { type: 'boolean' },
    id: { type: 'integer', description: 'Of the layer, once it is there; of the import before.' },
    url: TEXT,
    redirect_to: { type: 'string', nullable: true },
    bbox: TEXT,
    crs: { type: 'object', properties: { type: TEXT, properties: TEXT }, required: ['type', 'properties'] },
    layers: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' }, url: TEXT } } },
    warnings: WARNINGS,
    question: { type: 'object', nullable: true, additionalProperties: true },
    error_msg: TEXT,
    meta: reference('Ignored'),
  },
  required: ['upload_id', 'state', 'status', 'success', 'id', 'url', 'redirect_to'],
  additionalProperties: false,
};

const PROGRESS: Schema = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    import_id: { type: 'integer' },
    state: TEXT,
    progress: { type: 'number', minimum: 0, maximum: 100 },
    phase: { type: 'string', nullable: true },
    bytes_read: { type: 'number' },
    bytes_total: { type: 'number' },
    features: { type: 'number' },
    question: { type: 'object', nullable: true, additionalProperties: true },
    error_msg: { type: 'string', nullable: true },
    reason: { type: 'object', nullable: true, additionalProperties: true },
    can_retry: { type: 'boolean' },
    layer: { type: 'integer', nullable: true },
    warnings: WARNINGS,
    rows: {
      type: 'object',
      nullable: true,
      description: 'Rows of a layer that was replaced or added to.',
      properties: { before: { type: 'integer' }, after: { type: 'integer' } },
      required: ['before', 'after'],
      additionalProperties: false,
    },
  },
  required: ['state'],
  additionalProperties: false,
};

const MISTAKES: Schema = {
  anyOf: [
    {
      type: 'object',
      properties: { success: { type: 'boolean', enum: [false] }, errors: { type: 'array', items: TEXT } },
      required: ['success', 'errors'],
      additionalProperties: false,
    },
    reference('Mistakes'),
  ],
};

const TOO_LARGE: Text = { en: 'More than is taken.', de: 'Mehr, als angenommen wird.' };

/** Refused in the form of clients of GeoNode, too. */
const REFUSED: Pick<Described, 'refusals' | 'says'> = {
  refusals: [401, 403, 404],
  says: { 400: ANSWER_TEXTS.wrong, 413: TOO_LARGE },
};
const MISTAKEN: Schema = jsonContent(MISTAKES);

const IMPORT_ID: Parameter = {
  name: 'id',
  in: 'query',
  required: true,
  description: { en: 'Number of the import.', de: 'Nummer des Imports.' },
  schema: { type: 'integer', minimum: 1 },
};

const NEWS: Pick<Described, 'tag' | 'answers' | 'contents'> = {
  tag: 'uploads',
  answers: { 200: undefined },
  contents: {
    200: {
      'text/event-stream': {
        schema: { type: 'string', description: 'Each `data:` is what `/upload/progress` answers, as JSON.' },
      },
    },
  },
};

const CHOICES: Schema = { type: 'object', properties: { ...WISHES, permissions: {} } };
const SAID: Described['sent'] = {
  content: {
    ...jsonContent(CHOICES),
    'application/x-www-form-urlencoded': { schema: CHOICES },
    'multipart/form-data': { schema: CHOICES },
  },
};

const accepted = (id: string, summary: Text, status: 200 | 201, sent?: Described['sent']): Described => ({
  id,
  tag: 'uploads',
  summary,
  ...(sent === undefined ? {} : { sent }),
  answers: { [status]: reference('AcceptedUpload') },
  contents: { 400: MISTAKEN, 413: MISTAKEN },
  ...REFUSED,
  components: { AcceptedUpload: ACCEPTED },
});

/** PUT and POST mean the same. */
export const files = (name: string, verb: 'put' | 'post', isAlsoEmpty = false): Described =>
  accepted(`${name}_by_${verb}`, { en: 'Send the files of a layer', de: 'Die Dateien eines Layers senden' }, 201, {
    isRequired: true,
    content: { 'multipart/form-data': { schema: FORM }, ...(isAlsoEmpty ? jsonContent(EMPTY) : {}) },
  });

export const ANSWER: Described = accepted(
  'uploads_answer',
  { en: 'Answer the question of an import', de: 'Die Frage eines Imports beantworten' },
  200,
  SAID,
);

export const RETRY: Described = accepted(
  'uploads_retry',
  { en: 'Try a failed import again', de: 'Einen gescheiterten Import noch einmal versuchen' },
  200,
);

const final = (id: string, sent?: Described['sent']): Described => ({
  id,
  tag: 'uploads',
  summary: {
    en: 'What became of an import; what is sent along is applied while it can be',
    de: 'Was aus einem Import geworden ist; was mitgesandt wird, gilt, solange es noch geht',
  },
  parameters: [IMPORT_ID],
  ...(sent === undefined ? {} : { sent }),
  answers: { 200: reference('UploadResult') },
  contents: { 400: MISTAKEN, 413: MISTAKEN },
  ...REFUSED,
  components: { UploadResult: FINAL },
});

export const OUTCOME: Readonly<Record<'get' | 'put' | 'post', Described>> = {
  get: final('upload_final'),
  put: final('upload_final_by_put', SAID),
  post: final('upload_final_by_post', SAID),
};

export const PROGRESS_OF: Described = {
  id: 'upload_progress',
  tag: 'uploads',
  summary: { en: 'How far an import is', de: 'Wie weit ein Import ist' },
  parameters: [IMPORT_ID],
  answers: { 200: PROGRESS },
  refusals: [400, 401, 404],
};

export const EVENTS: Described = {
  id: 'uploads_events',
  summary: {
    en: 'How far an upload is, told with every change as a server-sent event until it ends',
    de: 'Wie weit ein Upload ist, mit jeder Änderung als Server-sent Event, bis er endet',
  },
  ...NEWS,
  refusals: [401, 404],
};

export const MANY_EVENTS: Described = {
  id: 'uploads_many_events',
  summary: {
    en: 'How far several uploads are, in one stream of server-sent events until all have ended',
    de: 'Wie weit mehrere Uploads sind, in einem Strom von Server-sent Events, bis alle zu Ende sind',
  },
  parameters: [
    {
      name: 'ids',
      in: 'query',
      required: true,
      schema: { type: 'string', example: '7,8,9', description: 'Up to 100 uploads.' },
    },
  ],
  ...NEWS,
  refusals: [400, 401, 404],
};
