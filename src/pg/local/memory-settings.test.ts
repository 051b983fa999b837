import { expect, test } from 'vitest';
import { memorySettings } from './memory-settings.ts';

const GB = 1024 ** 3;

test.each([
  [1 * GB, { shared_buffers: '128MB', effective_cache_size: '512MB', maintenance_work_mem: '64MB', work_mem: '4MB' }],
  [
    24 * GB,
    { shared_buffers: '3072MB', effective_cache_size: '12288MB', maintenance_work_mem: '768MB', work_mem: '38MB' },
  ],
  [
    512 * GB,
    { shared_buffers: '4096MB', effective_cache_size: '65536MB', maintenance_work_mem: '1024MB', work_mem: '64MB' },
  ],
])('a machine of %d bytes', (bytes, sizes) => {
  expect(memorySettings(bytes, 40)).toEqual({ ...sizes, max_connections: '40' });
});

test('more connections leave less for each', () => {
  expect(memorySettings(8 * GB, 200)['work_mem']).toBe('4MB');
  expect(memorySettings(8 * GB, 20)['work_mem']).toBe('26MB');
});
