// What can go wrong with a request to the portal, as data. Status and body of each are in the face table.

import type { ClosedMode } from '../../http/service-mode.ts';
import type { DiskFault } from '../../kernel/disk-fault.ts';
import type { DbError } from '../../pg/driver.ts';

export type FieldMessages = { readonly [field: string]: readonly string[] };

export type PortalError =
  /** Somebody has to sign in first. */
  | { readonly kind: 'not-authenticated' }
  /** `scope`: a good token, but not for this. `second-factor`: the right password of an account that needs more. */
  | {
      readonly kind: 'bad-credentials';
      readonly reason: 'password' | 'inactive' | 'token' | 'scope' | 'read-only' | 'any-token' | 'second-factor';
    }
  /** Too many failed sign-ins. */
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }
  | { readonly kind: 'csrf'; readonly reason: 'missing-cookie' | 'mismatch' }
  /** `detail`: what is missing, where that can be said. */
  | { readonly kind: 'forbidden'; readonly detail?: string }
  /** Not there, or not for this caller. */
  | { readonly kind: 'not-found' }
  | { readonly kind: 'invalid-page' }
  /** By field; `non_field_errors` for the whole. */
  | { readonly kind: 'invalid-fields'; readonly fields: FieldMessages }
  /** Elements of a bulk create that are wrong; nothing was created. */
  | {
      readonly kind: 'invalid-elements';
      readonly member: string;
      readonly elements: readonly { readonly detail: FieldMessages; readonly source: unknown }[];
    }
  /** Answered as a list of messages. */
  | { readonly kind: 'invalid-request'; readonly messages: readonly string[] }
  /** Answered as `detail`. */
  | { readonly kind: 'bad-request'; readonly detail: string }
  | { readonly kind: 'method-not-allowed'; readonly method: string }
  /** 405 without a body: a bulk delete that names nothing. */
  | { readonly kind: 'nothing-named' }
  | { readonly kind: 'not-acceptable' }
  /** An If-Match that does not hold. */
  | { readonly kind: 'precondition-failed' }
  | { readonly kind: 'unsupported-media-type'; readonly type: string }
  | { readonly kind: 'too-large'; readonly limit: number }
  /** A file cannot be stored now. `cause`: for the log. */
  | { readonly kind: 'disk'; readonly fault: DiskFault; readonly cause?: string }
  /** The account may use no more space; the message says how much it uses, and may. */
  | { readonly kind: 'quota-exceeded'; readonly message: string }
  /** The mode of service: nobody writes, or nobody but administrators gets in. */
  | { readonly kind: 'service-closed'; readonly mode: ClosedMode; readonly message: string }
  /** A service of somebody else did not do its part. */
  | { readonly kind: 'remote-failed'; readonly detail: string }
  | { readonly kind: 'database'; readonly error: DbError }
  /** A bug; `reference` is how the log calls it. */
  | { readonly kind: 'internal'; readonly reference: string };
