// What every route of the portal is given: the database, who asks, and how to end a request that failed.

import type { FastifyRequest } from 'fastify';
import type { CallerDb } from '../auth/caller-db.ts';
import type { ServiceMode } from '../http/service-mode.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Observe } from '../kernel/observation.ts';
import type { Identify } from './accounts/identify.ts';
import type { AnswerError } from './errors/answer-error.ts';
import type { RecordCache } from './operations/record-cache.ts';
import type { Presets } from './query/presets.ts';

export type PortalContext = {
  readonly db: CallerDb;
  /** Every route asks this first; wrong credentials are refused even where none are needed. */
  readonly identify: Identify;
  readonly answerError: AnswerError;
  /** The portal's address as the client knows it, without a slash at the end. */
  readonly baseUrl: (request: FastifyRequest) => string;
  /** The client's address, behind the proxies that are trusted. */
  readonly addressOf: (request: FastifyRequest) => string;
  /** Normal, read-only or maintenance, as it was heard of last. */
  readonly mode: () => ServiceMode;
  /** Records of items, for lists. */
  readonly kept: RecordCache;
  /** Of the operator, beside those that are packaged. */
  readonly presets: Presets;
  readonly clock: Clock;
  readonly observe: Observe;
};
