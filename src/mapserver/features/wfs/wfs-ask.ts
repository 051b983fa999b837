// A request to the feature service as its operations get it, and what they answer with.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../auth/caller.ts';
import type { Result } from '../../../kernel/result.ts';
import type { MapContext } from '../../map-context.ts';
import type { CrsBook } from '../../query/known-crs.ts';
import type { WfsFailure } from './wfs-failure.ts';
import type { WfsParams } from './wfs-request.ts';

export type WfsParts = { readonly context: MapContext; readonly book: CrsBook };

export type WfsAsk = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  /** Of the service. */
  readonly url: string;
  readonly params: WfsParams;
};

export type WfsHandled = Result<FastifyReply, WfsFailure>;
