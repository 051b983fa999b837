// Traces: what a collector is sent of a request, over HTTP, and what the database is told of its trace.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OtlpExporter } from '../../../src/http/tracing/otlp-exporter.ts';
import { makeTracer } from '../../../src/http/tracing/tracer.ts';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const SAMPLED = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'vendor=1' };

type Value = { readonly stringValue?: string; readonly intValue?: string };
type OtlpSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
  readonly status: { readonly code?: number };
};

onEachEngine('a trace', { fixtures: REST_FIXTURE }, (db) => {
  let collector: Server;
  let exporter: OtlpExporter;
  let status = 200;
  const refusals: string[] = [];
  const batches: { readonly headers: object; readonly spans: readonly OtlpSpan[] }[] = [];

  beforeAll(async () => {
    collector = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { resourceSpans } = JSON.parse(Buffer.concat(parts).toString());
        if (status === 200)
          batches.push({
            headers: { ...request.headers, path: request.url },
            spans: resourceSpans[0].scopeSpans[0].spans,
          });
        response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    exporter = new OtlpExporter({
      endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      headers: [['authorization', 'Bearer collector']],
      version: 'test',
      onRefused: (message) => refusals.push(message),
    });
    await db().script(`
      create function test.my_trace() returns text stable language sql as $$ select current_setting('application_name') $$;
      create function test.statements() returns bigint stable language sql as
        $$ select count(*) from pg_catalog.pg_prepared_statements $$;
      grant execute on function test.my_trace(), test.statements() to rest_anon;
    `);
  });
  afterAll(() => new Promise((resolve) => collector.close(resolve)));
  const rest = useRest(db, { 'server-trace-ratio': '0' }, undefined, () => makeTracer(exporter));

  /** What the collector got since the last time. */
  async function spans(): Promise<readonly OtlpSpan[]> {
    await exporter.close();
    return batches.splice(0).flatMap((batch) => batch.spans);
  }

  function attribute(span: OtlpSpan | undefined, name: string): string | undefined {
    const value = span?.attributes.find(({ key }) => key === name)?.value;
    return value?.stringValue ?? value?.intValue;
  }

  test('has a span for the request and one for each stage, below that of the caller', async () => {
    const reply = await rest.get('/items?id=eq.1', { ...SAMPLED, 'x-request-id': 'quoted' });
    expect(reply).toMatchReply({ status: 200, headers: { 'X-Request-Id': 'quoted' } });
    const found = await spans();
    const [root] = found.filter(({ parentSpanId }) => parentSpanId === PARENT);
    expect(root).toMatchObject({ traceId: TRACE, traceState: 'vendor=1', name: 'GET /items', kind: 2, status: {} });
    expect(attribute(root, 'http.response.status_code')).toBe('200');
    expect(attribute(root, 'http.route')).toBe('/items');
    expect(attribute(root, 'survest.request_id')).toBe('quoted');
    const stages = found.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
    expect(stages.map(({ name }) => name).sort()).toEqual(
      ['SELECT items', 'authenticate', 'parse', 'plan', 'wait for connection', 'write'].sort(),
    );
    expect(stages.every(({ traceId }) => traceId === TRACE)).toBe(true);
    const database = stages.find(({ name }) => name === 'SELECT items');
    expect(attribute(database, 'db.system.name')).toBe('postgresql');
    expect(attribute(database, 'db.query.text')).toContain('"items"');
    for (const span of found)
      expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), span.name).toBe(true);
  });

  test('is not made without a collector’s client wanting it, and goes wrong only where we do', async () => {
    await rest.get('/items?id=eq.1');
    await rest.get('/items?id=eq.1', { traceparent: `00-${TRACE}-${PARENT}-00` });
    expect(await spans()).toEqual([]);
    await rest.get('/no_such_relation', SAMPLED);
    const [refused] = (await spans()).filter(({ kind }) => kind === 2);
    expect(refused).toMatchObject({ name: 'GET', status: {} });
    expect(attribute(refused, 'error.type')).toBe('SVRST205');
  });

  test('is known to the database for as long as the request, and makes no statement another one', async () => {
    const traced = (n: number) => ({ traceparent: `00-${TRACE}-${String(n).padStart(16, '0')}-01` });
    const told = async (headers: Record<string, string>): Promise<string> =>
      String(JSON.parse(String((await rest.get('/rpc/my_trace', headers)).body)));
    expect(await told(traced(1))).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
    expect(await told({})).not.toContain(TRACE);
    const count = async (n: number): Promise<number> =>
      Number(String((await rest.get('/rpc/statements', traced(n))).body));
    for (let n = 2; n < 10; n++) await count(n);
    const before = await count(10);
    for (let n = 11; n < 30; n++) await count(n);
    expect(await count(30)).toBeLessThanOrEqual(before + 2);
  });

  test('that the collector does not take is dropped and counted, and the request is none the worse', async () => {
    await spans();
    status = 503;
    const { dropped } = exporter.stats();
    expect((await rest.get('/items?id=eq.1', SAMPLED)).status).toBe(200);
    await exporter.close();
    expect(exporter.stats().dropped).toBeGreaterThan(dropped);
    expect(refusals).toEqual(['the collector answered 503']);
    status = 200;
  });
});
