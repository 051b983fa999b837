import { expect, test } from 'vitest';
import { jobEntries, type ListedJob, stateOfNews } from './job-entry.ts';

const NOW = Date.parse('2026-05-02T12:00:00Z');
const job = (id: number, more: Partial<ListedJob> = {}): ListedJob => ({
  name: `job_${id}`,
  action: 'upload',
  status: 'running',
  step: 'reading',
  progress: 40,
  finished: null,
  input_params: { upload_id: id, title: null },
  output_params: { resources: [] },
  ...more,
});

test('what is under way is shown however old, and what ended only for a day', () => {
  const done = { status: 'finished', step: null, progress: 100 } as const;
  const resources = (...ids: readonly number[]) => ({ output_params: { resources: ids.map((id) => ({ id })) } });
  const entries = jobEntries(
    [
      job(5, { input_params: { upload_id: 5, title: 'Near a stop' } }),
      job(4, { status: 'ready', step: null }),
      job(3, { step: 'waiting' }),
      job(2, { ...done, ...resources(77), finished: '2026-05-01T12:00:01Z' }),
      job(1, { ...done, ...resources(70, 71), finished: '2026-05-02T11:00:00Z' }),
      job(6, { status: 'failed', step: null, finished: '2026-05-02T11:00:00Z' }),
      job(7, { ...done, finished: '2026-05-01T11:59:59Z' }),
    ],
    NOW,
  );
  expect(entries.map(({ id, title, state, page }) => [id, title, state, page])).toEqual([
    [5, 'Near a stop', 'running', '/add/5'],
    [4, 'job_4', 'waiting', '/add/4'],
    [3, 'job_3', 'asks', '/add/3'],
    [2, 'job_2', 'done', '/layers/77'],
    // Several layers: the card of the import lists them.
    [1, 'job_1', 'done', '/add/1'],
    [6, 'job_6', 'failed', '/add/6'],
  ]);
});

test.each([
  ['READY', 'waiting'],
  ['PENDING', 'running'],
  ['COMPLETE', 'running'],
  ['WAITING', 'asks'],
  ['PROCESSED', 'done'],
  ['INVALID', 'failed'],
])('news of the state %s tell that it is %s', (state, expected) => {
  expect(stateOfNews(state)).toBe(expected);
});
