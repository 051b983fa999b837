import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { GrowingBytes as Growing, PooledBody } from './growing-bytes.ts';

const BODY = 50_000;

let GrowingBytes: typeof Growing;

beforeEach(async () => {
  // With nothing kept of what others have sent.
  vi.resetModules();
  ({ GrowingBytes } = await import('./growing-bytes.ts'));
});

function bodyOf(byte: number, bytes = BODY): PooledBody {
  const out = new GrowingBytes(bytes);
  // In parts, so that it grows where it has to.
  for (let i = 0; i < 10; i++) out.append(Buffer.alloc(bytes / 10, byte));
  return out.lend();
}

describe('a pooled body', () => {
  test('has its memory used again once it was sent, and not before', () => {
    const first = bodyOf(1);
    const second = bodyOf(2);
    expect(second.body.buffer).not.toBe(first.body.buffer);
    expect(first.body.equals(Buffer.alloc(BODY, 1))).toBe(true);
    first.onSent?.();
    const third = bodyOf(3);
    expect(third.body.buffer).toBe(first.body.buffer);
    expect(third.body.equals(Buffer.alloc(BODY, 3))).toBe(true);
    expect(second.body.equals(Buffer.alloc(BODY, 2))).toBe(true);
  });

  test('that grew from nothing has all that was written', () => {
    bodyOf(4).onSent?.();
    const out = new GrowingBytes();
    for (let i = 0; i < 1000; i++) out.append(Buffer.from(`${i},`));
    expect(out.lend().body.toString()).toBe(Array.from({ length: 1000 }, (_, i) => `${i},`).join(''));
  });

  test('that took little of its memory waits for its client with no more than it needs', () => {
    const out = new GrowingBytes(400_000);
    out.append(Buffer.alloc(100, 5));
    const { body, onSent } = out.lend();
    expect(body.buffer.byteLength).toBeLessThan(20_000);
    expect(onSent).toBeUndefined();
  });
});

test('a taken body keeps its memory for good', () => {
  const out = new GrowingBytes(BODY);
  out.append(Buffer.alloc(BODY, 6));
  const kept = out.take();
  for (let i = 0; i < 5; i++) bodyOf(7).onSent?.();
  expect(kept.equals(Buffer.alloc(BODY, 6))).toBe(true);
});

test('what is kept of many bodies at once has a limit', () => {
  const all = Array.from({ length: 40 }, () => bodyOf(8, 500_000));
  for (const { onSent } of all) onSent?.();
  const memories = new Set(all.map(({ body }) => body.buffer));
  const again = Array.from({ length: 40 }, () => bodyOf(9, 500_000)).filter(({ body }) => memories.has(body.buffer));
  expect(again.length).toBeGreaterThan(0);
  expect(again.length * 500_000).toBeLessThanOrEqual(4 * 1024 * 1024);
});
