// Prefer: explain=access: which grants and policies decided, in words, for the roles that the setting names.

import { expect, test } from 'vitest';
import { DIARY, DIARY_SETTINGS } from '../../fixtures/diary/diary.ts';
import { onEachEngine } from '../../testkit/database.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { useRest } from '../../testkit/use-rest.ts';

const EXPLAIN = { prefer: 'explain=access' };

function explanation({ headers }: Reply): string | undefined {
  const [text] = [(headers as Record<string, readonly string[]>)['Access-Explanation'] ?? []].flat();
  return text;
}

function words(reply: Reply): readonly string[] {
  return JSON.parse(explanation(reply) ?? '[]') as string[];
}

onEachEngine('why a caller sees what they see', { fixtures: DIARY }, (db) => {
  const rest = useRest(db, {
    ...DIARY_SETTINGS,
    'db-explain-roles': 'rest_anon',
    'db-explain-as': 'rest_reader',
    'db-tx-end': 'rollback-allow-override',
  });
  const hint = (reply: Reply): unknown => (JSON.parse(String(reply.body)) as { hint: unknown }).hint;

  test('an empty list says whether the table is empty for all, nothing matches, or rows are hidden', async () => {
    const empty = await rest.get('/empty', EXPLAIN);
    expect(empty).toMatchReply({ status: 200, text: '[]', headers: { 'preference-applied': 'explain=access' } });
    expect(words(empty)).toContain('diary.empty is empty, for everyone.');
    expect(words(await rest.get('/pages?body=eq.nothing', EXPLAIN))).toContain(
      'No row of diary.pages matches the filters, whoever asks.',
    );
    expect(words(await rest.get('/pages?mood=lt.3', EXPLAIN))).toEqual([
      'Row-level security on diary.pages: SELECT as rest_anon needs the policy "own" (using (writer = CURRENT_USER)).',
      '2 rows of diary.pages match the filters; rest_anon sees none of them.',
    ]);
    expect(words(await rest.get('/locked', EXPLAIN))).toEqual([
      'Row-level security on diary.locked: no permissive policy for SELECT is for rest_anon, so that no row is.',
      '1 row of diary.locked matches the filters; rest_anon does not see it.',
    ]);
  });

  test('a list that is not empty says how many rows are missing in it', async () => {
    const reply = await rest.get('/pages?select=body', { prefer: 'explain=access, count=exact' });
    expect(reply).toMatchReply({
      status: 200,
      json: [{ body: 'third' }],
      headers: { 'preference-applied': 'count=exact, explain=access', 'content-range': '0-0/1' },
    });
    expect(words(reply)).toContain('3 rows of diary.pages match the filters; rest_anon sees 1 of them.');
  });

  test('embedded tables and views are told of', async () => {
    const embedded = words(await rest.get('/writers?select=name,pages(body)', EXPLAIN));
    expect(embedded[0]).toBe('diary.writers has no row-level security: grants alone decide.');
    expect(embedded.at(-1)).toMatch(/^Row-level security on diary\.pages: SELECT as rest_anon needs/);
    const [view] = words(await rest.get('/all_pages', EXPLAIN));
    expect(view).toMatch(/^diary\.all_pages is a view that reads its tables as its owner \w+: grants and policies of/);
  });

  test('a refused write says which grant is missing, or which policies it had to pass', async () => {
    const post = (path: string, body: object): Promise<Reply> => rest.post(path, body, EXPLAIN);
    expect(hint(await post('/closed', { id: 2, a: 'x', b: 'y' }))).toBe(
      'The role rest_anon has INSERT on these columns of diary.closed alone: id, a; not on b.',
    );
    const deleted = await rest.request('DELETE', '/closed?id=eq.1', { headers: EXPLAIN });
    expect(hint(deleted)).toBe('The role rest_anon has no DELETE on diary.closed: no grant gives it.');
    const drunk = await post('/pages', { body: 'drunk' });
    expect(drunk).toMatchReply({ status: 401 });
    expect(hint(drunk)).toBe(
      'Row-level security on diary.pages: INSERT as rest_anon needs the policy "own" (check (writer = CURRENT_USER)), and all of the restrictive "sober" (check (body <> \'drunk\'::text)).',
    );
    expect(hint(await post('/locked', { id: 2 }))).toContain('no permissive policy for INSERT is for rest_anon');
  });

  test('a write that meets no row says whether there are any', async () => {
    const reply = await rest.request('PATCH', '/pages?mood=lt.3', { headers: EXPLAIN, body: { mood: 0 } });
    expect(reply).toMatchReply({ status: 204 });
    expect(words(reply)).toContain('2 rows of diary.pages match the filters; rest_anon sees none of them.');
  });

  test('roles that are not named are answered as ever', async () => {
    const headers = { prefer: 'handling=strict, explain=access' };
    const read = await rest.request('GET', '/pages?mood=eq.3', { headers, as: 'rest_author' });
    expect(read).toMatchReply({
      status: 200,
      text: '[]',
      headers: { 'access-explanation': null, 'preference-applied': 'handling=strict' },
    });
    const refused = await rest.request('POST', '/closed', { headers, body: { id: 2 }, as: 'rest_author' });
    expect(refused).toMatchReply({ status: 403 });
    expect(hint(refused)).toBeNull();
  });

  test('no code of the database is run as the one who sees all rows', async () => {
    const told = words(await rest.get('/pages?peek=eq.rest_reader', EXPLAIN));
    expect(told.some((sentence) => sentence.includes('match the filters'))).toBe(false);
  });
});

onEachEngine('without a role that sees all rows', { fixtures: DIARY, engines: ['postgres'] }, (db) => {
  const rest = useRest(db, { ...DIARY_SETTINGS, 'db-explain-roles': 'rest_anon' });

  test('it is said that nobody could be asked', async () => {
    const reply = await rest.get('/locked', EXPLAIN);
    expect(explanation(reply)).toContain(
      'Nobody who sees all rows of diary.locked could be asked about them; by the statistics there are about',
    );
    expect(explanation(await rest.get('/empty', EXPLAIN))).toContain('diary.empty is empty, for everyone.');
  });
});
