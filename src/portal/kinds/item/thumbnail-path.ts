// `PUT {collection}/{id}/set_thumbnail`: a picture for an item, as newer clients send it: a file of a form, or a data URL under `file`. It is written
// as `thumbnail_url` of the item is, by who may change the item. Addresses elsewhere are not fetched.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { described, tagOf } from '../../description/described-route.ts';
import { type Described, jsonContent } from '../../description/operation.ts';
import type { Schema } from '../../description/schema.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import { isMultipart, readForm } from '../../files/multipart.ts';
import { sniff } from '../../files/sniff.ts';
import type { Collection } from '../../operations/collection.ts';
import { type Answer, type ApiContext, asAccountRoute, type Exchange, json } from '../../operations/exchange.ts';
import { BODY_LIMIT, bodyOf, pathId } from '../../operations/register-collection.ts';
import { updateItem } from '../../operations/update.ts';
import { isMembers, type Members } from '../../operations/write/body-forms.ts';

/** As much as `thumbnail_url` takes in a data URL. */
const MAX_BYTES = 2_200_000;

export function registerThumbnailPath(
  app: FastifyInstance,
  context: ApiContext,
  collections: readonly Collection[],
): void {
  for (const collection of collections) {
    app.put(
      `${collection.path}/:id/set_thumbnail`,
      { bodyLimit: BODY_LIMIT, ...described(setThumbnailDescribed(collection.path)) },
      asAccountRoute(context, (exchange) => setThumbnail(context, exchange, collection)),
    );
  }
}

/** The smallest picture there is. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function setThumbnailDescribed(path: string): Described {
  const file: Schema = { type: 'string', description: 'A data URL with a PNG, JPEG, GIF or WebP image.' };
  return {
    id: `${tagOf(path)}_set_thumbnail`,
    tag: tagOf(path),
    summary: { en: 'Choose its small picture', de: 'Ihr kleines Bild wählen' },
    sent: {
      isRequired: true,
      content: {
        ...jsonContent({ type: 'object', properties: { file }, required: ['file'] }, { pixel: { file: PIXEL } }),
        'multipart/form-data': {
          schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] },
        },
      },
    },
    answers: {
      200: {
        type: 'object',
        properties: { success: { type: 'boolean' }, thumbnail_url: { type: 'string', format: 'uri' } },
        required: ['success', 'thumbnail_url'],
        additionalProperties: false,
      },
    },
    refusals: [400, 401, 403, 404],
  };
}

/** A picture of the caller's choice for the item of the address. */
export async function setThumbnail(
  context: ApiContext,
  exchange: Exchange,
  collection: Collection,
): Promise<Result<Answer, PortalError>> {
  const id = pathId(exchange);
  const sent = isMultipart(exchange.request) ? await sentFile(exchange) : await sentText(exchange);
  if (!sent.ok) return sent;
  const own = `${exchange.base}/thumbs/${id}.png`;
  if (sent.value !== own && !sent.value.startsWith('data:'))
    return wrong('Pictures elsewhere are not fetched. Send a file, or a data URL with a PNG, JPEG, GIF or WebP image.');
  const updated = await updateItem(context, exchange, collection, id, { thumbnail_url: sent.value }, 'change');
  return updated.ok && updated.value.status < 300 ? ok(json(200, { success: true, thumbnail_url: own })) : updated;
}

/** The picture under any of the names that clients give it; undefined: there is none. */
export function pictureIn(members: Members): unknown {
  return members['file'] ?? members['image'] ?? members['thumbnail'] ?? members['thumbnail_url'] ?? undefined;
}

async function sentText(exchange: Exchange): Promise<Result<string, PortalError>> {
  const body = await bodyOf(exchange);
  if (!body.ok) return body;
  const members = isMembers(body.value) ? body.value : {};
  const text = pictureIn(members);
  return typeof text === 'string' && text !== '' ? ok(text) : wrong('This field is required.');
}

async function sentFile({ request }: Exchange): Promise<Result<string, PortalError>> {
  const chunks: Uint8Array[] = [];
  let isTooLong = false;
  const form = await readForm(request, {
    maxFileBytes: MAX_BYTES,
    async onFile({ content, isCutOff }) {
      for await (const chunk of content) chunks.push(chunk as Uint8Array);
      isTooLong = isCutOff();
    },
  });
  if (!form.ok) return form;
  if (isTooLong) return wrong(`The picture is larger than ${MAX_BYTES} bytes.`);
  const bytes = Buffer.concat(chunks);
  if (bytes.length === 0) return wrong('This field is required.');
  return ok(`data:${sniff(bytes) ?? 'image/png'};base64,${bytes.toString('base64')}`);
}

function wrong(message: string): Result<never, PortalError> {
  return err({ kind: 'invalid-fields', fields: { file: [message] } });
}
