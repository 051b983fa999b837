// The viewer store under its two addresses.

import type { FastifyInstance } from 'fastify';
import { createRecords } from '../../operations/create.ts';
import type { ApiContext, Handle } from '../../operations/exchange.ts';
import { bodyOf, pathId, registerCollection } from '../../operations/register-collection.ts';
import { updateItem } from '../../operations/update.ts';
import { isMembers } from '../../operations/write/body-forms.ts';
import { elementId } from '../../operations/write/parse-element.ts';
import { viewerResources, viewerUsers } from './viewer-collections.ts';

/** The second is where clients of other products look for it. */
const PREFIXES = ['/mapviewer/rest', '/mapstore/rest'] as const;

export function registerViewerStore(app: FastifyInstance, context: ApiContext): void {
  for (const prefix of PREFIXES) {
    const resources = viewerResources(`${prefix}/resources`, context.blobs);
    /** A map that is there already gets its viewer data; without an id a new one is made. */
    const create: Handle = async (exchange) => {
      const body = await bodyOf(exchange);
      if (!body.ok) return body;
      const id = isMembers(body.value) ? elementId(body.value) : undefined;
      if (id === undefined) return createRecords(context, exchange, resources, body.value);
      const updated = await updateItem(context, exchange, resources, id, body.value);
      return updated.ok ? { ok: true, value: { ...updated.value, status: 201 } } : updated;
    };
    const change: Handle = async (exchange) => {
      const body = await bodyOf(exchange);
      return body.ok ? updateItem(context, exchange, resources, pathId(exchange), body.value) : body;
    };
    registerCollection(app, context, resources, { create, change });
    registerCollection(app, context, viewerUsers(`${prefix}/users`));
  }
}
