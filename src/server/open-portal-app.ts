// The portal's application with everything it is given: database, keys, files, pages.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { openDiskStore } from '../blobs/disk.ts';
import type { Observe } from '../kernel/observation.ts';
import { MAX_DOCUMENT_BYTES } from '../portal/api/register-api.ts';
import { makePortalApp, type PortalOptions } from '../portal/portal-app.ts';
import type { ServerConfig } from './config.ts';
import { VERSION } from './version.ts';

const WEB_ROOT = fileURLToPath(new URL('../web', import.meta.url));

export async function openPortalApp(
  parts: Pick<PortalOptions, 'db' | 'keys'> & { readonly config: ServerConfig; readonly observe: Observe },
): Promise<FastifyInstance> {
  const { db, keys, config, observe } = parts;
  const { publicUrl, enableBulkUpdate, enablePatchAll } = config;
  const blobs = await openDiskStore(join(config.dataDir, 'files'));
  const api = { blobs, enableBulkUpdate, enablePatchAll, maxDocumentBytes: MAX_DOCUMENT_BYTES, version: VERSION };
  return makePortalApp({ db, keys, publicUrl, webRoot: WEB_ROOT, version: VERSION, api, observe });
}
