// A process as OGC API Processes describes it: its inputs as JSON schemas. What a form has to know besides stands under `x-survest`. Pure.

import { assertNever } from '../../kernel/assert-never.ts';
import type { ProcessDescription, ProcessInput } from '../../layer-ports/process.ts';

export type Link = { readonly href: string; readonly rel: string; readonly type?: string; readonly title?: string };

const VERSION = '1.0.0';
const OGC_REL = 'http://www.opengis.net/def/rel/ogc/1.0';
export const JSON_TYPE = 'application/json';
const GEOJSON = 'application/geo+json';

/** `root`: `https://maps.example.org/ogc`. */
export function processSummary(
  { id, title, description, inputs }: ProcessDescription,
  root: string,
): Record<string, unknown> {
  const href = `${root}/processes/${id}`;
  return {
    id,
    title,
    description,
    version: VERSION,
    jobControlOptions: ['async-execute', 'dismiss'],
    outputTransmission: ['reference'],
    // What it may begin with: a layer, a raster, a table without places.
    'x-survest': {
      layer: Object.values(inputs).some(({ kind }) => kind === 'layer' || kind === 'layers'),
      raster: Object.values(inputs).some(({ kind }) => kind === 'raster'),
      table: takesTable(inputs),
    },
    links: [
      { href, rel: 'self', type: JSON_TYPE, title },
      { href: `${href}/execution`, rel: `${OGC_REL}/execute`, type: JSON_TYPE, title: 'Run it' },
    ] satisfies readonly Link[],
  };
}

export function processDocument(process: ProcessDescription, root: string): Record<string, unknown> {
  return {
    ...processSummary(process, root),
    inputs: Object.fromEntries(
      Object.entries(process.inputs).map(([name, input]) => [
        name,
        {
          title: input.title,
          description: input.description,
          minOccurs: isLeftOut(input) ? 0 : 1,
          maxOccurs: 1,
          schema: schemaOf(input),
          'x-survest': hintOf(input),
        },
      ]),
    ),
    outputs: {
      layer: {
        title: 'Layer',
        description: 'A layer of your own that nobody else sees until you share it.',
        schema: { type: 'object', contentMediaType: GEOJSON },
      },
    },
  };
}

function takesTable(inputs: ProcessDescription['inputs']): boolean {
  return Object.values(inputs).some((input) => input.kind === 'layer' && input.orTable === true);
}

function isLeftOut(input: ProcessInput): boolean {
  return input.isOptional === true || input.kind === 'choice' || input.kind === 'flag';
}

const LAYER = {
  oneOf: [
    { type: 'integer', minimum: 1 },
    { type: 'string', minLength: 1, maxLength: 400 },
  ],
} as const;

function schemaOf(input: ProcessInput): Record<string, unknown> {
  switch (input.kind) {
    case 'layer':
    case 'raster':
      return LAYER;
    case 'layers':
      return { type: 'array', minItems: input.least, maxItems: input.most, items: LAYER };
    case 'number':
      return { type: 'number', minimum: input.minimum, maximum: input.maximum };
    case 'choice':
      return { type: 'string', enum: input.choices, default: input.otherwise };
    case 'flag':
      return { type: 'boolean', default: false };
    case 'column':
      return { type: 'string', maxLength: 63 };
    case 'band':
      return { type: 'integer', minimum: 1, default: 1 };
    case 'text':
      return { type: 'string', minLength: 1, maxLength: input.most };
    case 'filter':
      return { type: 'string', format: 'cql2-text' };
    default:
      return assertNever(input);
  }
}

/** What a form is made of. */
function hintOf(input: ProcessInput): Record<string, unknown> {
  switch (input.kind) {
    case 'layer':
      return { kind: input.kind, geometry: input.geometry, table: input.orTable === true };
    case 'column':
      return { kind: input.kind, of: input.of, number: input.isNumber === true };
    case 'filter':
    case 'band':
      return { kind: input.kind, of: input.of };
    case 'layers':
    case 'raster':
    case 'number':
    case 'choice':
    case 'flag':
    case 'text':
      return { kind: input.kind };
    default:
      return assertNever(input);
  }
}
