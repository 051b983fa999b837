// The types of features: layers by the names that requests give them, and their schemas.

import { Readable } from 'node:stream';
import { ok, type Result } from '../../../kernel/result.ts';
import type { VectorLayer } from '../../../layer-ports/layer.ts';
import { type MapContext, requestInfo } from '../../map-context.ts';
import { vectorPages } from './offer-pages.ts';
import type { WfsAsk, WfsHandled, WfsParts } from './wfs-ask.ts';
import { DIALECTS } from './wfs-dialect.ts';
import { schemaDocument, XML } from './wfs-documents.ts';
import { wfsError } from './wfs-error.ts';
import type { WfsFailure } from './wfs-failure.ts';
import type { WfsParams } from './wfs-request.ts';
import { withoutPrefix } from './xml-elements.ts';

/** Types that a request names. */
const MAX_DESCRIBED = 200;

export async function describeFeatureType({ context }: WfsParts, ask: WfsAsk): Promise<WfsHandled> {
  const { reply, params } = ask;
  const names = namesIn(params);
  if (names.length > MAX_DESCRIBED)
    return wfsError(
      'InvalidParameterValue',
      'typeNames',
      `A request names up to ${MAX_DESCRIBED} types, or none to get all of them.`,
    );
  const pages = names.length === 0 ? await vectorPages(context, ask) : await namedTypes(context, ask, names);
  if (!pages.ok) return pages;
  const dialect = DIALECTS[params.version];
  // Of 1.x the schema is XML Schema, whatever the features are in.
  return ok(
    reply
      .type(params.version === '2.0.0' ? dialect.type : XML)
      .send(Readable.from(schemaDocument(dialect, pages.value))),
  );
}

async function namedTypes(
  context: MapContext,
  ask: WfsAsk,
  names: readonly string[],
): Promise<Result<AsyncIterable<readonly VectorLayer[]>, WfsFailure>> {
  const layers: VectorLayer[] = [];
  for (const name of names) {
    const layer = await findType(context, ask, name);
    if (!layer.ok) return layer;
    layers.push(layer.value);
  }
  return ok(onePage(layers));
}

async function* onePage<T>(page: T): AsyncGenerator<T> {
  yield page;
}

export async function findType(
  context: MapContext,
  { request, caller }: WfsAsk,
  name: string,
): Promise<Result<VectorLayer, WfsFailure>> {
  const plain = withoutPrefix(name);
  const info = requestInfo(request);
  let found = await context.layers.find(caller, info, plain);
  const number = /^layer_(\d{1,9})$/.exec(plain)?.[1];
  if (!found.ok && found.error.kind === 'no-such-layer' && number !== undefined)
    found = await context.layers.find(caller, info, number);
  if (!found.ok)
    return found.error.kind === 'database'
      ? found
      : wfsError('InvalidParameterValue', 'typeNames', `There is no type ${name.slice(0, 100)}.`);
  return found.value.kind === 'vector'
    ? ok(found.value)
    : wfsError('InvalidParameterValue', 'typeNames', `There is no type ${name.slice(0, 100)}.`);
}

export function namesIn({ values }: WfsParams): string[] {
  const text = values.get('typenames') ?? values.get('typename') ?? '';
  return text
    .replace(/[()]/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
