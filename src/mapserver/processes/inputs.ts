// The inputs of a process: what a description says of each, and what was sent → values of those kinds, or what is wrong with which. Layers
// are found for the caller in between (make-processes.ts); everything here is pure.

import type { Filter } from '../../geo/cql/cql.ts';
import { parseCqlText } from '../../geo/cql/cql-text.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { GeometryKind, Layer, LayerColumn, RasterLayer, VectorLayer } from '../../layer-ports/layer.ts';
import type { ProcessDescription, ProcessInput, SentInputs } from '../../layer-ports/process.ts';
import { columnClass } from '../columns/column-class.ts';
import type { Given, InputFaults } from './query/process.ts';

const MAX_NAME = 400;

/** The names of the layers that were sent, by input. */
export function layersNamed(
  { inputs }: ProcessDescription,
  sent: SentInputs,
): Result<ReadonlyMap<string, readonly string[]>, InputFaults> {
  const named = new Map<string, readonly string[]>();
  const faults: Record<string, string> = {};
  for (const name of Object.keys(sent))
    if (inputs[name] === undefined) faults[name.slice(0, 100)] = 'There is no such input.';
  for (const [name, input] of Object.entries(inputs)) {
    const value = sent[name];
    if (input.kind === 'layer' || input.kind === 'raster') {
      const layer = layerName(value);
      if (layer === undefined) faults[name] = 'The id or the name of a layer is expected.';
      else named.set(name, [layer]);
    } else if (input.kind === 'layers') {
      const list = Array.isArray(value) ? value.map(layerName) : [];
      const layers = list.filter((one) => one !== undefined);
      if (layers.length !== list.length || layers.length < input.least || layers.length > input.most)
        faults[name] = `A list of ${input.least} to ${input.most} layers is expected, each by its id or name.`;
      else named.set(name, layers);
    }
  }
  return Object.keys(faults).length === 0 ? ok(named) : err(faults);
}

function layerName(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return String(value);
  if (typeof value !== 'string' || value === '' || value.length > MAX_NAME || value.includes('\0')) return undefined;
  return value;
}

/** By input. */
export type GivenLayers = ReadonlyMap<string, readonly Layer[]>;

type Value = number | string | boolean | LayerColumn | Filter | undefined;

export function readInputs(
  { inputs }: ProcessDescription,
  sent: SentInputs,
  layers: GivenLayers,
): Result<Given, InputFaults> {
  const values = new Map<string, Value>();
  const faults: Record<string, string> = {};
  for (const [name, input] of Object.entries(inputs)) {
    const of = 'of' in input ? layers.get(input.of)?.[0] : layers.get(name)?.[0];
    const read = readInput(input, sent[name], of);
    if (read.ok) values.set(name, read.value);
    else faults[name] = read.error;
  }
  if (Object.keys(faults).length > 0) return err(faults);
  return ok(givenOf(values, layers));
}

function readInput(input: ProcessInput, value: unknown, found: Layer | undefined): Result<Value, string> {
  const isLeftOut = value === undefined || value === null || value === '';
  const layer = found?.kind === 'vector' ? found : undefined;
  switch (input.kind) {
    case 'layer':
      return layer === undefined || input.geometry.includes(layer.geometry.kind)
        ? ok(undefined)
        : err(`A layer of ${input.geometry.map((kind) => KIND_WORDS[kind]).join(' or ')} is expected.`);
    case 'layers':
    case 'raster':
      return ok(undefined);
    case 'number':
      if (isLeftOut) return input.isOptional === true ? ok(undefined) : err('A number is expected.');
      return typeof value === 'number' && value >= input.minimum && value <= input.maximum
        ? ok(value)
        : err(`A number from ${input.minimum} to ${input.maximum} is expected.`);
    case 'choice':
      if (isLeftOut) return ok(input.otherwise);
      return typeof value === 'string' && input.choices.includes(value)
        ? ok(value)
        : err(`One of ${input.choices.join(', ')} is expected.`);
    case 'flag':
      if (isLeftOut) return ok(false);
      return typeof value === 'boolean' ? ok(value) : err('true or false is expected.');
    case 'column':
      if (isLeftOut) return input.isOptional === true ? ok(undefined) : err('The name of a column is expected.');
      return readColumn(input, value, layer);
    case 'band':
      return readBand(isLeftOut ? 1 : value, found?.kind === 'raster' ? found.bands.length : 0);
    case 'text':
      return typeof value === 'string' && value.trim() !== '' && value.length <= input.most && !value.includes('\0')
        ? ok(value)
        : err(`A text of at most ${input.most} characters is expected.`);
    case 'filter':
      if (isLeftOut) return input.isOptional === true ? ok(undefined) : err('A condition in CQL2 is expected.');
      return typeof value === 'string' ? readFilter(value) : err('A condition in CQL2 text is expected.');
    default:
      return assertNever(input);
  }
}

const KIND_WORDS: Readonly<Record<GeometryKind, string>> = {
  point: 'points',
  line: 'lines',
  polygon: 'areas',
  mixed: 'any shapes',
};

function readColumn(
  { isNumber }: Extract<ProcessInput, { kind: 'column' }>,
  value: unknown,
  layer: VectorLayer | undefined,
): Result<Value, string> {
  const column = layer?.columns.find(({ name }) => name === value);
  if (column === undefined) return err('The layer has no such column.');
  const kind = columnClass(column.type);
  if (isNumber === true && kind !== 'integer' && kind !== 'number') return err('A column of numbers is expected.');
  if (kind === 'bytes' || kind === 'json') return err('This column cannot be used here.');
  return ok(column);
}

function readBand(value: unknown, bands: number): Result<Value, string> {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= bands
    ? ok(value)
    : err(bands === 1 ? 'The raster has one band: 1 is expected.' : `A band from 1 to ${bands} is expected.`);
}

function readFilter(text: string): Result<Value, string> {
  const filter = parseCqlText(text);
  return filter.ok ? filter : err(`${filter.error.said}.`);
}

/** A value that is asked for as what its description does not say is a mistake of the process. */
function givenOf(values: ReadonlyMap<string, Value>, layers: GivenLayers): Given {
  const wrong = (name: string): never => {
    throw new Error(`the process has no input "${name}" of this kind`);
  };
  const layersOf = (name: string): readonly VectorLayer[] =>
    (layers.get(name) ?? wrong(name)).map((layer) => (layer.kind === 'vector' ? layer : wrong(name)));
  const rasterOf = (name: string): RasterLayer => {
    const [layer] = layers.get(name) ?? [];
    return layer?.kind === 'raster' ? layer : wrong(name);
  };
  const optionalNumber = (name: string): number | undefined => {
    const value = values.get(name);
    return value === undefined || typeof value === 'number' ? value : wrong(name);
  };
  return {
    layer: (name) => layersOf(name)[0] ?? wrong(name),
    layers: layersOf,
    raster: rasterOf,
    number: (name) => optionalNumber(name) ?? wrong(name),
    optionalNumber,
    choice: (name) => {
      const value = values.get(name);
      return typeof value === 'string' ? value : wrong(name);
    },
    text: (name) => {
      const value = values.get(name);
      return typeof value === 'string' ? value : wrong(name);
    },
    flag: (name) => values.get(name) === true,
    column: (name) => {
      const value = values.get(name);
      if (value === undefined) return undefined;
      return typeof value === 'object' && 'name' in value && 'type' in value ? value : wrong(name);
    },
    filter: (name) => {
      const value = values.get(name);
      if (value === undefined) return undefined;
      return typeof value === 'object' && 'kind' in value ? value : wrong(name);
    },
  };
}
