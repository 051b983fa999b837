// The addresses of uploads in the OpenAPI document: forms with files, and what is asked and answered until the layer is there.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import { reference, type Schema } from '../../description/schema.ts';
import { TEXTS } from './texts.ts';

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

/** For the components of the document. */
export const UPLOAD_SCHEMAS: Readonly<Record<string, Schema>> = { AcceptedUpload: ACCEPTED, UploadResult: FINAL };

export function uploadPaths(language: Language): Paths {
  const done = ANSWER_TEXTS.done[language];
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
  const importId = {
    name: 'id',
    in: 'query',
    required: true,
    description: TEXTS.importId[language],
    schema: { type: 'integer', minimum: 1 },
  };
  const news = {
    200: {
      description: ANSWER_TEXTS.done[language],
      content: {
        'text/event-stream': {
          schema: { type: 'string', description: 'Each `data:` is what `/upload/progress` answers, as JSON.' },
        },
      },
    },
  };
  const refusals = {
    ...failures(language, '401', '403', '404'),
    400: { description: ANSWER_TEXTS.wrong[language], content: jsonContent(MISTAKES) },
    413: { description: TEXTS.tooLarge[language], content: jsonContent(MISTAKES) },
  };
  const operation = (operationId: string, text: keyof typeof TEXTS, rest: object): object => ({
    operationId,
    tags: ['uploads'],
    summary: TEXTS[text][language],
    ...rest,
  });
  /** PUT and POST mean the same. */
  const files = (name: string, other: Record<string, unknown> = {}): Record<string, unknown> =>
    Object.fromEntries(
      ['put', 'post'].map((verb) => [
        verb,
        operation(`${name}_by_${verb}`, 'sendFiles', {
          requestBody: { required: true, content: { 'multipart/form-data': { schema: FORM }, ...other } },
          responses: { 201: { description: done, content: jsonContent(reference('AcceptedUpload')) }, ...refusals },
        }),
      ]),
    );
  const wishes: Schema = { type: 'object', properties: { ...WISHES, permissions: {} } };
  const said = {
    content: {
      ...jsonContent(wishes),
      'application/x-www-form-urlencoded': { schema: wishes },
      'multipart/form-data': { schema: wishes },
    },
  };
  const final = { 200: { description: done, content: jsonContent(reference('UploadResult')) }, ...refusals };
  const posted = (operationId: string, text: keyof typeof TEXTS, body: object): Record<string, unknown> => ({
    parameters: [id],
    post: operation(operationId, text, {
      ...body,
      responses: { 200: { description: done, content: jsonContent(reference('AcceptedUpload')) }, ...refusals },
    }),
  });
  const into = (collection: string, kind: string): [string, Record<string, unknown>] => [
    `/api/v2/${collection}/{id}/${kind}/`,
    { parameters: [id], ...files(`${collection}_${kind}`) },
  ];
  return {
    '/api/v2/uploads/upload/': files('uploads_upload', jsonContent(EMPTY)),
    '/api/v2/uploads/{id}/files/': { parameters: [id], ...files('uploads_files') },
    '/api/v2/uploads/{id}/events/': {
      parameters: [id],
      get: operation('uploads_events', 'uploadEvents', { responses: { ...news, ...failures(language, '401', '404') } }),
    },
    '/api/v2/uploads/events/': {
      parameters: [
        {
          name: 'ids',
          in: 'query',
          required: true,
          schema: { type: 'string', example: '7,8,9', description: 'Up to 100 uploads.' },
        },
      ],
      get: operation('uploads_many_events', 'manyUploadEvents', {
        responses: { ...news, ...failures(language, '400', '401', '404') },
      }),
    },
    '/api/v2/uploads/{id}/answer/': posted('uploads_answer', 'answerQuestion', { requestBody: said }),
    '/api/v2/uploads/{id}/retry/': posted('uploads_retry', 'retryUpload', {}),
    ...Object.fromEntries(['layers', 'datasets'].flatMap((name) => [into(name, 'replace'), into(name, 'append')])),
    '/upload/final': {
      parameters: [importId],
      get: operation('upload_final', 'uploadFinal', { responses: final }),
      put: operation('upload_final_by_put', 'uploadFinal', { requestBody: said, responses: final }),
      post: operation('upload_final_by_post', 'uploadFinal', { requestBody: said, responses: final }),
    },
    '/upload/progress': {
      parameters: [importId],
      get: operation('upload_progress', 'uploadProgress', {
        responses: {
          200: { description: done, content: jsonContent(PROGRESS) },
          ...failures(language, '400', '401', '404'),
        },
      }),
    },
  };
}
