// What the pipeline hands over to live streams: a read with who asks it, planned.

import type { HttpReply, HttpRequest } from '../../http/http-message.ts';
import type { Result } from '../../kernel/result.ts';
import type { Who } from '../auth/authenticate.ts';
import type { RestError } from '../errors/rest-error.ts';
import type { ReadPlan } from '../plan/plan.ts';
import type { LiveQuery } from '../query/live-sql.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { Identifier } from '../schema-cache/schema-cache.ts';
import type { RestState } from './state.ts';

export type LiveRead = {
  readonly http: HttpRequest;
  readonly state: RestState;
  readonly who: Who;
  readonly request: ApiRequest;
  readonly plan: ReadPlan;
  /** All relations that rows come from, the one that is asked for first. */
  readonly relations: readonly Identifier[];
  /** Those that the relation guard is asked about. */
  readonly guarded: readonly Identifier[];
  readonly query: LiveQuery;
};

/** What a pipeline hands a live stream to. */
export type LivePort = {
  /** `lastEventId`: of a client that has listened before. */
  open(read: LiveRead, lastEventId: string | undefined): Promise<Result<HttpReply, RestError>>;
};
