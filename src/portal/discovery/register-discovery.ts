// The catalogue services, by which others find what is in the portal: OGC API Records, CSW, STAC, DCAT and the sitemap. All of them are
// made of the same records, read as the caller.

import type { FastifyInstance } from 'fastify';
import type { Collection } from '../operations/collection.ts';
import type { ApiContext } from '../operations/exchange.ts';
import { makeRecordSource } from './find-records.ts';
import { registerCsw } from './register-csw.ts';
import { registerDcat } from './register-dcat.ts';
import { registerRecords } from './register-records.ts';
import { registerSitemap } from './register-sitemap.ts';
import { registerStac } from './register-stac.ts';

export async function registerDiscovery(
  app: FastifyInstance,
  context: ApiContext,
  resources: Collection,
): Promise<void> {
  const find = makeRecordSource(context, resources);
  registerRecords(app, context, find);
  registerStac(app, context, find);
  registerDcat(app, context, find);
  registerSitemap(app, context);
  await registerCsw(app, context, find);
}
