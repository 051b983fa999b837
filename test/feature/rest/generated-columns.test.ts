// Columns that the database fills itself: identities, generated ones, serials.

import { expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';
import { failure } from './expected.ts';

const SHOWN = { prefer: 'return=representation' };
const DEFAULTED = { prefer: 'return=representation, missing=default' };

const IDENTITY = failure(400, '428C9', 'cannot insert a non-DEFAULT value into column "id"', {
  details: 'Column "id" is an identity column defined as GENERATED ALWAYS.',
  hint: 'Use OVERRIDING SYSTEM VALUE to override.',
});

onEachEngine('generated columns', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  test('are shown with the values they got', async () => {
    expect(await rest.post('/generated_always', { width: 5, height: 6 }, SHOWN)).toMatchReply({
      status: 201,
      json: [{ id: expect.any(Number), width: 5, height: 6, area: 30 }],
    });
    expect(
      await rest.request('PATCH', '/generated_always?id=eq.1&select=area', { body: { width: 10 }, headers: SHOWN }),
    ).toMatchReply({ status: 200, json: [{ area: 30 }] });
  });

  test('an identity that is always generated cannot be given', async () => {
    expect(await rest.post('/generated_always', { id: 7, width: 5, height: 6 }, SHOWN)).toMatchReply(IDENTITY);
    expect(
      await rest.post('/generated_always?columns=id,width,height', { width: 5, height: 6 }, DEFAULTED),
    ).toMatchReply(IDENTITY);
    expect(
      await rest.request('PUT', '/generated_always?id=eq.7', { body: { id: 7, width: 1, height: 1 }, headers: SHOWN }),
    ).toMatchReply(IDENTITY);
    expect(await rest.request('PATCH', '/generated_always?id=eq.1', { body: { id: 7 } })).toMatchReply(
      failure(400, '428C9', 'column "id" can only be updated to DEFAULT', {
        details: 'Column "id" is an identity column defined as GENERATED ALWAYS.',
      }),
    );
  });

  test('a computed one cannot be given', async () => {
    const generated = { details: 'Column "area" is a generated column.' };
    expect(await rest.post('/generated_always', { width: 5, height: 6, area: 30 })).toMatchReply(
      failure(400, '428C9', 'cannot insert a non-DEFAULT value into column "area"', generated),
    );
    expect(
      await rest.post('/generated_always?columns=width,height,area', { width: 5, height: 6 }, DEFAULTED),
    ).toMatchReply(failure(400, '428C9', 'cannot insert a non-DEFAULT value into column "area"', generated));
    expect(await rest.request('PATCH', '/generated_always?id=eq.1', { body: { area: 1 } })).toMatchReply(
      failure(400, '428C9', 'column "area" can only be updated to DEFAULT', generated),
    );
  });

  test('leaving them out of columns is the way', async () => {
    expect(
      await rest.post(
        '/generated_always?columns=width,height&select=width,area',
        [{ id: 9, width: 2, height: 2, area: 1 }],
        DEFAULTED,
      ),
    ).toMatchReply({ status: 201, json: [{ width: 2, area: 4 }] });
  });

  test('an identity by default and a serial take what they are given, or make it', async () => {
    expect(await rest.post('/receipts?select=id', { id: 5000 }, SHOWN)).toMatchReply({
      status: 201,
      json: [{ id: 5000 }],
    });
    const first = await rest.post('/receipts?columns=id,label&select=id', {}, DEFAULTED);
    const second = await rest.post('/receipts?select=id', { label: 'x' }, SHOWN);
    const idOf = (reply: { body: string | Uint8Array }): number =>
      (JSON.parse(String(reply.body)) as { id: number }[])[0]?.id ?? 0;
    expect(idOf(second)).toBe(idOf(first) + 1);
    expect(
      await rest.post(
        '/auto_incrementing_pk?columns=id,non_nullable_string&select=id,inserted_at',
        { non_nullable_string: 'x' },
        DEFAULTED,
      ),
    ).toMatchReply({ status: 201, json: [{ id: expect.any(Number), inserted_at: expect.any(String) }] });
  });

  test('an upsert by an identity that is always generated is a plain insert when the body has no key', async () => {
    expect(
      await rest.post(
        '/generated_always?select=area',
        { width: 3, height: 3 },
        { prefer: 'return=representation, resolution=merge-duplicates' },
      ),
    ).toMatchReply({ status: 201, json: [{ area: 9 }] });
  });
});
