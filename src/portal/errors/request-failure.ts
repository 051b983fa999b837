// A failure found where only an exception can be returned: in a body parser or a hook of the HTTP framework.

import type { PortalError } from './portal-error.ts';

export class RequestFailure extends Error {
  readonly failure: PortalError;

  constructor(failure: PortalError) {
    super(failure.kind);
    this.failure = failure;
  }
}
