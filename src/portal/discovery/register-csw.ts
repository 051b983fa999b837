// The Catalogue Service for the Web 2.0.2 at `/csw`: records of everything the caller sees, as Dublin Core and ISO 19139.

import type { FastifyInstance } from 'fastify';
import { OversizedBody, oversizedText, readTextBodies } from '../../http/text-bodies.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { described } from '../description/described-route.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type Answer, type ApiContext, asRoute, type Exchange } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import {
  acknowledgement,
  cswCapabilities,
  cswException,
  type Domain,
  describeRecord,
  getDomainResponse,
  getRecordByIdResponse,
  getRecordsResponse,
} from './csw-documents.ts';
import { valuesOfParameter } from './csw-parameters.ts';
import { type CswFault, type CswRequest, parseCswKvp, parseCswXml } from './csw-request.ts';
import { CSW_DESCRIBED } from './discovery-described.ts';
import type { RecordSource } from './find-records.ts';
import { domainSql } from './query/domain-sql.ts';

const MAX_BODY = 500_000;
const XML = { 'Content-Type': 'application/xml; charset=utf-8', 'Access-Control-Allow-Origin': '*' };

type Handled = Promise<Result<Answer, PortalError>>;

export async function registerCsw(app: FastifyInstance, context: ApiContext, find: RecordSource): Promise<void> {
  const route = asRoute(context, async (exchange) => {
    const { body } = exchange.request;
    if (body instanceof OversizedBody)
      return ok(refused({ code: 'NoApplicableCode', locator: '', text: oversizedText(body), status: 413 }));
    const parsed =
      typeof body === 'string' && body.trim().startsWith('<')
        ? parseCswXml(body)
        : parseCswKvp(typeof body === 'string' && body !== '' ? `${exchange.query}&${body}` : exchange.query);
    if (!parsed.ok) return ok(refused(parsed.error));
    const answered = await answer(exchange, parsed.value);
    // A filter that means nothing here is the client's mistake, and said in the words of the service.
    if (!answered.ok && answered.error.kind === 'invalid-request')
      return ok(
        refused({ code: 'InvalidParameterValue', locator: 'constraint', text: answered.error.messages.join(' ') }),
      );
    return answered;
  });
  await app.register(async (scope) => {
    readTextBodies(scope, MAX_BODY);
    scope.get('/csw', described(CSW_DESCRIBED.get), route);
    scope.post('/csw', described(CSW_DESCRIBED.post), route);
  });

  async function answer(exchange: Exchange, asked: CswRequest): Handled {
    switch (asked.kind) {
      case 'capabilities':
        return ok(xml(cswCapabilities(`${exchange.base}/csw`)));
      case 'describe':
        return ok(xml(describeRecord(asked.schemas)));
      case 'domain':
        return asked.of === 'property'
          ? domain(exchange, asked.names)
          : ok(
              xml(
                getDomainResponse(
                  asked.names.map((name) => ({ kind: 'parameter', name, values: valuesOfParameter(name) })),
                ),
              ),
            );
      case 'by-id': {
        const found = await find(exchange, { uuids: asked.ids, offset: 0, limit: asked.ids.length });
        if (!found.ok) return found;
        // In the order in which they were asked for.
        const byId = new Map(found.value.records.map((record) => [record.uuid.toLowerCase(), record]));
        const records = asked.ids.flatMap((id) => byId.get(id.toLowerCase()) ?? []);
        return ok(xml(getRecordByIdResponse(records, asked.set, asked.schema)));
      }
      case 'records': {
        const { filter, sort, start, count, set, elements, schema } = asked;
        const now = new Date(context.clock.now()).toISOString();
        if (asked.result === 'validate') {
          const { request, base, query } = exchange;
          return ok(xml(acknowledgement(request.method, `${base}/csw${query === '' ? '' : `?${query}`}`, now)));
        }
        const limit = asked.result === 'results' ? count : 0;
        const found = await find(exchange, { filter, sort, offset: start - 1, limit });
        if (!found.ok) return found;
        return ok(xml(getRecordsResponse({ ...found.value, start, set, elements, schema, now })));
      }
    }
  }

  async function domain(exchange: Exchange, properties: readonly string[]): Handled {
    const domains: Domain[] = [];
    for (const property of properties) {
      const statement = domainSql(property);
      if (statement === undefined) {
        domains.push({ kind: 'property', name: property, values: undefined });
        continue;
      }
      const executed = await context.db.read(exchange.caller, exchange.info, [exchange.statement(statement)]);
      if (!executed.ok) return { ok: false, error: { kind: 'database', error: executed.error } };
      const values = JSON.parse(cellOf(executed.value[0])?.toString() ?? '[]') as string[];
      domains.push({ kind: 'property', name: property, values });
    }
    return ok(xml(getDomainResponse(domains)));
  }
}

function xml(body: string): Answer {
  return { status: 200, body, headers: XML };
}

function refused(fault: CswFault): Answer {
  return {
    status: fault.status ?? (fault.code === 'OperationNotSupported' ? 501 : 400),
    body: cswException(fault),
    headers: XML,
  };
}
