import { expect, test } from 'vitest';
import { sumMetrics } from './sum-metrics.ts';

test('counts of workers are added, delays are those of the slowest', () => {
  const one = [
    '# HELP svrst_requests_total Requests',
    '# TYPE svrst_requests_total counter',
    'svrst_requests_total{route="read",status="200"} 3',
    '# TYPE svrst_event_loop_lag_seconds gauge',
    'svrst_event_loop_lag_seconds 0.5',
    '',
  ].join('\n');
  const other = [
    '# HELP svrst_requests_total Requests',
    '# TYPE svrst_requests_total counter',
    'svrst_requests_total{route="read",status="200"} 4',
    'svrst_requests_total{route="read",status="404"} 1',
    '# TYPE svrst_event_loop_lag_seconds gauge',
    'svrst_event_loop_lag_seconds 0.25',
    '',
  ].join('\n');
  expect(sumMetrics([one, other])).toBe(
    [
      '# HELP svrst_requests_total Requests',
      '# TYPE svrst_requests_total counter',
      'svrst_requests_total{route="read",status="200"} 7',
      'svrst_requests_total{route="read",status="404"} 1',
      '# TYPE svrst_event_loop_lag_seconds gauge',
      'svrst_event_loop_lag_seconds 0.5',
      '',
    ].join('\n'),
  );
});

test('of nobody there is nothing', () => {
  expect(sumMetrics([])).toBe('\n');
});
