// Why the feature service has no answer, and that as an exception report.

import type { FastifyReply } from 'fastify';
import { noteCause } from '../../../http/request-notes.ts';
import { err, type Result } from '../../../kernel/result.ts';
import type { LayerError } from '../../../layers/layer-access.ts';
import type { DbError } from '../../../pg/driver.ts';
import { exceptionReport, XML } from './wfs-documents.ts';
import { type WfsError, wfsError } from './wfs-request.ts';

export type WfsFailure = WfsError | LayerError;

/** A value that the column cannot be is the mistake of who sent it. */
export function queryFailure(error: DbError): Result<never, WfsFailure> {
  if (error.kind === 'sql' && /^(?:22|42883|42804|42725|42P18|XX000)/.test(error.sqlstate))
    return wfsError('InvalidParameterValue', 'filter', `A value does not fit: ${error.message.slice(0, 200)}`);
  return err({ kind: 'database', error });
}

export function sendFailure(reply: FastifyReply, error: WfsFailure): FastifyReply {
  reply.header('Cache-Control', 'no-store').type(XML);
  switch (error.kind) {
    case 'wfs': {
      const status = error.code === 'NotFound' ? 404 : error.code === 'OperationNotSupported' ? 501 : 400;
      return reply.code(status).send(exceptionReport(error.code, error.locator, error.said));
    }
    case 'no-such-layer':
      return reply.code(400).send(exceptionReport('InvalidParameterValue', 'typeNames', 'There is no such type.'));
    case 'database': {
      noteCause(reply.request.raw, error.error);
      const isRefused = error.error.kind === 'sql' && error.error.sqlstate === '42501';
      return isRefused
        ? reply.code(403).send(exceptionReport('NoApplicableCode', '', 'This is not allowed.'))
        : reply
            .code(503)
            .header('Retry-After', '1')
            .send(exceptionReport('NoApplicableCode', '', 'The database does not answer in time.'));
    }
  }
}
