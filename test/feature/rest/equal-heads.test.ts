// Requests whose heads are equal, byte for byte, and whose bodies are not: what was made of the body before must never be taken for the next.

import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { attachPlainFront } from '../../../src/http/plain/plain-front.ts';
import { restListener } from '../../../src/rest/edge/listener.ts';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';

onEachEngine('equal heads, different bodies', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  let server: Server;
  const handled: string[] = [];
  beforeAll(async () => {
    const { service } = rest.client();
    server = createServer(restListener(service));
    attachPlainFront(server, {
      handle: (request, client) => {
        handled.push(request.method);
        return service.answer(request, client);
      },
      onFailure: service.failed,
      idleMs: 60_000,
      stalledMs: 60_000,
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(async () => {
    handled.length = 0;
    await db().script("truncate test.shelves cascade; insert into test.shelves (id, label) values (1, '?')");
  });

  const request = (method: string, path: string, body: string, more = ''): string =>
    `${method} ${path} HTTP/1.1\r\nHost: test\r\n${more}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

  /** Each in turn on one connection, or all in one write; the bodies of the answers. */
  async function send(texts: readonly string[], together = false): Promise<readonly string[]> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const answers: string[] = [];
    let text = '';
    let heard: () => void = () => {};
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let end = answerEnd(text); end > 0; end = answerEnd(text)) {
        answers.push(text.slice(text.indexOf('\r\n\r\n') + 4, end));
        text = text.slice(end);
        heard();
      }
    });
    const until = async (count: number): Promise<void> => {
      while (answers.length < count)
        await new Promise<void>((resolve) => {
          heard = resolve;
        });
    };
    if (together) socket.write(texts.join(''));
    else
      for (const [i, one] of texts.entries()) {
        socket.write(one);
        await until(i + 1);
      }
    await until(texts.length);
    socket.destroy();
    return answers;
  }

  function answerEnd(text: string): number {
    const head = text.indexOf('\r\n\r\n');
    if (head < 0) return -1;
    const length = Number(/content-length: *(\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
    const end = head + 4 + length;
    return text.length >= end ? end : -1;
  }

  // Of one length, so that the heads are equal.
  const numbers = [11, 12, 13, 14, 15, 16];

  test.each([false, true])('insert what each of them says (all in one write: %s)', async (together) => {
    await send(
      numbers.map((id) => request('POST', '/shelves', `{"id":${id}}`)),
      together,
    );
    const rows = await db().query<{ id: number }>('select id from test.shelves order by id');
    expect(rows.map(({ id }) => id)).toEqual([1, ...numbers]);
    if (!together) expect(handled).toHaveLength(numbers.length);
  });

  test.each([false, true])('update to what each of them says (all in one write: %s)', async (together) => {
    const answers = await send(
      numbers.map((n) =>
        request('PATCH', '/shelves?id=eq.1&select=label', `{"label":"${n}"}`, 'Prefer: return=representation\r\n'),
      ),
      together,
    );
    expect(answers).toEqual(numbers.map((n) => `[{"label":"${n}"}]`));
  });

  test('write the columns that each of them names', async () => {
    await send(['{"id":21}', '{"id":22}', '{"id":23}'].map((body) => request('POST', '/shelves', body)));
    await send([
      request('POST', '/shelves', '{"id":24}         '),
      request('POST', '/shelves', '{"id":25}         '),
      request('POST', '/shelves', '{"id":26}         '),
      request('POST', '/shelves', '{"label":"x"}     '),
      request('POST', '/shelves', '[{"id":27}]       '),
    ]);
    const rows = await db().query<{ id: number | null; label: string | null }>(
      'select id, label from test.shelves where id <> 1 order by id',
    );
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining([21, 22, 23, 24, 25, 26, 27]));
  });

  test('call functions with what each of them says', async () => {
    const answers = await send(numbers.map((n) => request('POST', '/rpc/add_them', `{"a":${n},"b":1}`)));
    expect(answers).toEqual(numbers.map((n) => String(n + 1)));
  });

  test('and a body of nothing is not the one before it', async () => {
    const empty = request('POST', '/rpc/add_them', '');
    const answers = await send([
      empty,
      empty,
      empty,
      ...numbers.map((n) => request('POST', '/rpc/add_them', `{"a":${n},"b":1}`)),
      empty,
    ]);
    expect(answers.slice(3, -1)).toEqual(numbers.map((n) => String(n + 1)));
    expect(answers.at(-1)).toBe(answers[0]);
  });
});
