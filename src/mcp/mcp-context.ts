// What one request to `/mcp` is answered with: who asks, what the tools may ask, and whether those that write are offered.

import type { Ask } from './asking.ts';
import type { Source } from './tool-result.ts';

export type McpContext = {
  /** For the program's introduction, such as `ada` or `a visitor`. */
  readonly caller: string;
  /** The tools that write are offered. Whether the caller may, is for the database to say. */
  readonly offersWriting: boolean;
  readonly version: string;
  /** The REST service, as the caller. Its answers are bounded in cost, and `Prefer: tx=rollback` always counts. */
  readonly rest: Ask;
  /** The catalogue and the map services, as the caller; undefined: a REST service alone. */
  readonly portal: PortalParts | undefined;
  /** Of a table of the REST service that is none of the catalogue's. */
  readonly tableSource: (table: string) => Source;
};

export type PortalParts = {
  readonly ask: Ask;
  /** Without a slash at the end. */
  readonly address: string;
  readonly isVisitor: boolean;
};

/** A wish that only somebody with a token may have: asked for without one, a client is told to sign in. */
export type Need = 'none' | 'sign-in' | 'write';

/** Tools by what has to be known of the caller before they are called at all. */
export const TOOL_NEEDS: ReadonlyMap<string, Need> = new Map([
  ['sign_in', 'sign-in'],
  ['write_rows', 'write'],
  ['create_map', 'write'],
]);
