// Read points: which requests may be answered by replicas, and how new these have to be. Who has signed in is answered by what was acknowledged before the
// request came, whichever copy of the program took it; visitors, who have written nothing, by what is at most `db-replica-max-lag` old.

import type { FastifyRequest } from 'fastify';
import type { ReplicaReads } from '../../auth/replica-reads.ts';
import { ok } from '../../kernel/result.ts';
import type { Identify } from './identify.ts';

/**
 * Map services, and what the catalogue shows. Not what is about somebody's own doings (uploads, accounts, sign-in), which is read again and again while the
 * service itself changes it.
 */
const READ_FROM_REPLICAS =
  /^\/(?:tiles|rastertiles|wms|wmts|wfs|wcs|ows|ogc|download|styles|thumbs|csw|dcat|stac|api\/v2\/(?:resources|layers|datasets|maps|documents|geoapps|geostories|categories|keywords|tkeywords|regions|owners|facets))(?:[/?.]|$)/;

export function withReadPoints(identify: Identify, replicas: Pick<ReplicaReads, 'isOn' | 'position'>): Identify {
  return async (request) => {
    if (!replicas.isOn() || !mayLag(request)) return identify(request);
    const [who, lsn] = await Promise.all([
      identify(request),
      hasCredentials(request) ? replicas.position() : undefined,
    ]);
    if (!who.ok) return who;
    // A link that was renewed or has been taken back is good for nothing at once: the primary knows.
    if (who.value.kind === 'visitor' && who.value.link !== undefined) return who;
    if (who.value.kind === 'visitor') return ok({ ...who.value, readPoint: { lsn: undefined } });
    return lsn === undefined ? who : ok({ ...who.value, readPoint: { lsn } });
  };
}

function mayLag({ method, url }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && READ_FROM_REPLICAS.test(url);
}

function hasCredentials({ headers }: FastifyRequest): boolean {
  return headers.authorization !== undefined || headers.cookie !== undefined;
}
