// `/metadata/{id}.{format}`: what is known about an item, for whoever sees it.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import type { Collection } from '../operations/collection.ts';
import { type ApiContext, asRoute } from '../operations/exchange.ts';
import { pathPart } from '../operations/register-collection.ts';
import { METADATA_FORMATS } from './metadata-formats.ts';
import { readMetadata } from './read-metadata.ts';

export function registerMetadata(app: FastifyInstance, context: ApiContext, resources: Collection): void {
  app.get(
    '/metadata/:file',
    asRoute(context, async (exchange) => {
      const [, id, ending] = /^(\d{1,9})\.([a-z0-9.]{1,20})$/.exec(pathPart(exchange, 'file')) ?? [];
      const format = METADATA_FORMATS.find((one) => one.ending === ending);
      if (id === undefined || format === undefined) return err({ kind: 'not-found' });
      const record = await readMetadata(context, exchange, resources, Number(id));
      if (!record.ok) return record;
      const headers = { 'Content-Type': `${format.mediaType}; charset=utf-8` };
      return ok({ status: 200, body: format.write(record.value), headers });
    }),
  );
}
