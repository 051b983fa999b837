import { expect, test } from 'vitest';
import { contentPolicy } from './content-policy.ts';

test('nothing is loaded from elsewhere, and no script or style stands in a page', () => {
  const policy = contentPolicy('own');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(policy).toContain("frame-ancestors 'self'");
});

test('only an embedded page may stand in frames of other sites', () => {
  expect(contentPolicy('anywhere')).toBe(contentPolicy('own').replace("frame-ancestors 'self'", 'frame-ancestors *'));
});
