// Why the feature service has no answer, and that as an exception report.

import type { FastifyReply } from 'fastify';
import { noteCause } from '../../../http/request-notes.ts';
import { CLOSED_RETRY_SECONDS, CLOSED_SQLSTATE } from '../../../http/service-mode.ts';
import { err, type Result } from '../../../kernel/result.ts';
import type { LayerError } from '../../../layer-ports/layer-access.ts';
import type { DbError } from '../../../pg/driver.ts';
import { exceptionReport, XML } from './wfs-documents.ts';
import { type WfsError, wfsError } from './wfs-error.ts';
import type { WfsVersion } from './wfs-version.ts';

export type WfsFailure = WfsError | LayerError;

/** A value that the column cannot be is the mistake of who sent it. */
export function queryFailure(error: DbError): Result<never, WfsFailure> {
  if (error.kind === 'sql' && /^(?:22|42883|42804|42725|42P18|XX000)/.test(error.sqlstate))
    return wfsError('InvalidParameterValue', 'filter', `A value does not fit: ${error.message.slice(0, 200)}`);
  return err({ kind: 'database', error });
}

const STATUS: Readonly<Partial<Record<WfsError['code'], number>>> = {
  NotFound: 404,
  OperationNotSupported: 501,
};

/** In the form of the version that was spoken. */
export function sendFailure(reply: FastifyReply, error: WfsFailure, version: WfsVersion): FastifyReply {
  reply.header('Cache-Control', 'no-store').type(XML);
  const send = (status: number, code: WfsError['code'], locator: string, said: string): FastifyReply =>
    reply.code(status).send(exceptionReport(version, { code, locator, said }));
  switch (error.kind) {
    case 'wfs':
      return send(error.status ?? STATUS[error.code] ?? 400, error.code, error.locator, error.said);
    case 'no-such-layer':
      return send(400, 'InvalidParameterValue', 'typeNames', 'There is no such type.');
    case 'database': {
      noteCause(reply.request.raw, error.error);
      const isRefused = error.error.kind === 'sql' && error.error.sqlstate === '42501';
      if (isRefused) return send(403, 'NoApplicableCode', '', 'This is not allowed.');
      if (error.error.kind === 'sql' && error.error.sqlstate === CLOSED_SQLSTATE) {
        reply.header('Retry-After', String(CLOSED_RETRY_SECONDS));
        return send(503, 'NoApplicableCode', '', error.error.message);
      }
      reply.header('Retry-After', '1');
      return send(503, 'NoApplicableCode', '', 'The database does not answer in time.');
    }
  }
}
