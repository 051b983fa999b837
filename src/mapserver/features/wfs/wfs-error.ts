// What can be wrong with a request to the feature service, in the words of its standards. Pure.

import { err, type Result } from '../../../kernel/result.ts';

export type WfsError = {
  readonly kind: 'wfs';
  readonly code:
    | 'InvalidParameterValue'
    | 'MissingParameterValue'
    | 'OperationNotSupported'
    | 'OperationParsingFailed'
    | 'OptionNotSupported'
    | 'NotFound'
    | 'OperationProcessingFailed'
    | 'InvalidValue'
    | 'VersionNegotiationFailed'
    | 'NoApplicableCode';
  readonly locator: string;
  readonly said: string;
  /** Undefined: what the code says. */
  readonly status?: number;
};

export function wfsError(code: WfsError['code'], locator: string, said: string): Result<never, WfsError> {
  return err({ kind: 'wfs', code, locator, said });
}
