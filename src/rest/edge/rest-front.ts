// Who answers the requests of an address: the REST service of the one database, or that of one among several.

import type { HttpReply, HttpRequest } from '../../http/http-message.ts';
import type { RestConfig } from '../config/config.ts';
import type { ClientInfo } from '../pipeline/client-info.ts';

export type RestFront = {
  /** Never throws: what goes wrong is a reply too. */
  answer(http: HttpRequest, client: ClientInfo): Promise<HttpReply>;
  /** An exception outside of `answer`, for the log. */
  failed(cause: unknown): void;
  /** A request that was refused before `answer` because of something on this machine, for the log. */
  refused(path: string, status: number, cause: string): void;
  /** What has to be known of a request before its body is read. */
  addressee(path: string, host: string | undefined): Addressee;
};

/** The settings that hold for a request, its path as whoever answers will read it, and the name of the database among several. */
type Addressee = { readonly config: RestConfig; readonly path: string; readonly database?: string };
