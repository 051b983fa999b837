// The routes of OGC API Processes as the document of the API has them.

import type { Text } from '../description/language.ts';
import type { Described } from '../description/operation.ts';
import { arrayOf, FLAG, INTEGER, MOMENT, record, type Schema, TEXT } from '../description/schema.ts';
import { JOB_STATUSES } from './job-status.ts';

export const MAX_LISTED = 100;
export const FEW_LISTED = 20;
export const MAX_TITLE = 255;

const LINKS: Schema = arrayOf({ type: 'object', additionalProperties: true });
const ANYTHING: Schema = { type: 'object', additionalProperties: true };
const SUMMARY: Readonly<Record<string, Schema>> = {
  id: TEXT,
  title: TEXT,
  description: TEXT,
  version: TEXT,
  jobControlOptions: arrayOf(TEXT),
  outputTransmission: arrayOf(TEXT),
  'x-survest': record({
    layer: { ...FLAG, description: 'It makes something of layers.' },
    raster: { ...FLAG, description: 'It reads a raster.' },
    table: { ...FLAG, description: 'It takes tables without places, too.' },
  }),
  links: LINKS,
};
const INPUT: Schema = record({
  title: TEXT,
  description: TEXT,
  minOccurs: INTEGER,
  maxOccurs: INTEGER,
  schema: { ...ANYTHING, description: 'A JSON schema.' },
  'x-survest': { ...ANYTHING, description: 'What a form has to know besides.' },
});
const PROCESS: Schema = record({
  ...SUMMARY,
  inputs: { type: 'object', additionalProperties: INPUT },
  outputs: ANYTHING,
});
const PROBLEM: Schema = record(
  {
    type: { type: 'string', format: 'uri' },
    title: TEXT,
    status: INTEGER,
    detail: TEXT,
    inputs: { type: 'object', additionalProperties: TEXT, description: 'What is wrong, by input.' },
  },
  ['type', 'title', 'status', 'detail'],
);
const PROBLEMS = { 'application/problem+json': { schema: PROBLEM } };

const REFUSED = {
  400: {
    en: 'The inputs cannot be used; the problem says which, and why.',
    de: 'Die Eingaben gehen so nicht; die Antwort sagt, welche und warum.',
  },
  404: {
    en: 'There is no such process, job or result.',
    de: 'Diesen Prozess, Auftrag oder dieses Ergebnis gibt es nicht.',
  },
  422: { en: 'The job failed; the problem says why.', de: 'Der Auftrag ist gescheitert; die Antwort sagt, warum.' },
  429: { en: 'Too many jobs are under way.', de: 'Zu viele Aufträge sind unterwegs.' },
} as const satisfies Readonly<Record<number, Text>>;

/** Refusals in the form of the standard. */
function problems(...statuses: readonly (keyof typeof REFUSED)[]): Pick<Described, 'says' | 'contents'> {
  return {
    says: Object.fromEntries(statuses.map((status) => [status, REFUSED[status]])),
    contents: Object.fromEntries(statuses.map((status) => [status, PROBLEMS])),
  };
}
export const NO_ROOM: Text = {
  en: 'The account has no storage left for a result.',
  de: 'Das Konto hat keinen Speicherplatz mehr für ein Ergebnis.',
};

const JOB: Schema = record(
  {
    jobID: { type: 'string', format: 'uuid' },
    processID: TEXT,
    type: { type: 'string', enum: ['process'] },
    status: { type: 'string', enum: JOB_STATUSES },
    message: { ...TEXT, description: 'Why it failed.' },
    title: { ...TEXT, description: 'Of the layer.' },
    created: MOMENT,
    finished: MOMENT,
    progress: { type: 'integer', minimum: 0, maximum: 100 },
    upload: { ...INTEGER, description: 'Its number among the uploads, whose events tell of every step.' },
    links: LINKS,
  },
  ['jobID', 'processID', 'type', 'status', 'title', 'created', 'progress', 'upload', 'links'],
);
const SENT: Schema = record(
  {
    inputs: { type: 'object', additionalProperties: true, description: 'A value for each input of the description.' },
    title: { type: 'string', maxLength: MAX_TITLE, description: 'Of the layer.' },
    outputs: { type: 'object', additionalProperties: true },
    response: { type: 'string', enum: ['document'] },
  },
  ['inputs'],
);
const BY_PROCESS = [{ name: 'process', in: 'path', schema: TEXT }] as const;
const BY_JOB = [{ name: 'job', in: 'path', schema: { type: 'string', format: 'uuid' } }] as const;
const EXAMPLES = { buffer: { inputs: { layer: 12, distance: 500 }, title: 'Within 500 m of a stop' } };
const TAG = 'processes';

type Route = 'list' | 'read' | 'preview' | 'execute' | 'jobs' | 'job' | 'dismiss' | 'results';

export const DESCRIBED: Readonly<Record<Route, Described>> = {
  list: {
    id: 'processes_list',
    tag: TAG,
    summary: { en: 'The processes that make layers of layers', de: 'Die Prozesse, die aus Layern Layer machen' },
    answers: { 200: record({ processes: arrayOf(record(SUMMARY)), links: LINKS }) },
  },
  read: {
    id: 'processes_read',
    tag: TAG,
    summary: { en: 'A process with its inputs as JSON schemas', de: 'Ein Prozess mit seinen Eingaben als JSON-Schema' },
    parameters: BY_PROCESS,
    answers: { 200: PROCESS },
    ...problems(404),
  },
  preview: {
    id: 'processes_preview',
    tag: TAG,
    summary: {
      en: 'What would become of a sample of the rows, as GeoJSON; nothing is kept',
      de: 'Was aus einer Stichprobe der Zeilen würde, als GeoJSON; nichts bleibt',
    },
    parameters: BY_PROCESS,
    body: SENT,
    examples: EXAMPLES,
    answers: { 200: ANYTHING },
    refusals: [401],
    ...problems(400, 404),
  },
  execute: {
    id: 'processes_execute',
    tag: TAG,
    summary: {
      en: 'Run a process as a job; its result is a layer that only its author sees',
      de: 'Einen Prozess als Auftrag starten; das Ergebnis ist ein Layer, den nur sieht, wer ihn bestellt hat',
    },
    parameters: BY_PROCESS,
    body: SENT,
    examples: EXAMPLES,
    answers: { 201: JOB },
    refusals: [401, 403],
    ...problems(400, 404, 429),
    says: { ...problems(400, 404, 429).says, 413: NO_ROOM },
  },
  jobs: {
    id: 'jobs_list',
    tag: TAG,
    summary: { en: 'One’s own jobs, the newest first', de: 'Die eigenen Aufträge, der neueste zuerst' },
    parameters: [
      {
        name: 'limit',
        in: 'query',
        schema: { type: 'integer', minimum: 1, maximum: MAX_LISTED, default: FEW_LISTED },
      },
      { name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0, default: 0 } },
    ],
    answers: { 200: record({ jobs: arrayOf(JOB), links: LINKS }) },
    refusals: [401],
    ...problems(400),
  },
  job: {
    id: 'jobs_read',
    tag: TAG,
    summary: { en: 'How far a job is', de: 'Wie weit ein Auftrag ist' },
    parameters: BY_JOB,
    answers: { 200: JOB },
    refusals: [401],
    ...problems(404),
  },
  dismiss: {
    id: 'jobs_dismiss',
    tag: TAG,
    summary: {
      en: 'Cancel a job, or forget one that has ended; its layer stays',
      de: 'Einen Auftrag abbrechen oder, ist er fertig, vergessen; sein Layer bleibt',
    },
    parameters: BY_JOB,
    answers: { 200: JOB },
    refusals: [401, 403],
    ...problems(404),
  },
  results: {
    id: 'jobs_results',
    tag: TAG,
    summary: { en: 'What came of a job: its layer', de: 'Was aus einem Auftrag geworden ist: sein Layer' },
    parameters: BY_JOB,
    answers: {
      200: record({
        layer: record({ id: INTEGER, href: { type: 'string', format: 'uri' }, type: TEXT, rel: TEXT, title: TEXT }),
      }),
    },
    refusals: [401, 404],
    says: {
      422: { en: 'The job failed; the problem says why.', de: 'Der Auftrag ist gescheitert; die Antwort sagt, warum.' },
    },
  },
};
