import { expect, test } from 'vitest';
import { contentPolicy, NO_SITES } from './content-policy.ts';

test('nothing is loaded from elsewhere, and no script or style stands in a page', () => {
  const policy = contentPolicy('own');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(policy).toContain("frame-ancestors 'self'");
});

test('basemaps of the settings are loaded from their sites, and scripts are not', () => {
  const policy = contentPolicy('own', {
    ...NO_SITES,
    basemaps: ['https://tiles.example.org', 'https://a.example.org:8443'],
  });
  expect(policy).toContain("img-src 'self' data: blob: https://tiles.example.org https://a.example.org:8443;");
  expect(policy).toContain("connect-src 'self' https://tiles.example.org https://a.example.org:8443;");
  expect(policy).toContain("script-src 'self';");
  expect(policy.match(/https:/g)).toHaveLength(4);
});

test('only an embedded page may stand in frames of other sites', () => {
  expect(contentPolicy('anywhere')).toBe(contentPolicy('own').replace("frame-ancestors 'self'", 'frame-ancestors *'));
});

test('pages within stories come from the sites of the settings, and nothing else does', () => {
  const policy = contentPolicy('own', { ...NO_SITES, frames: ['https://video.example.org'] });
  expect(policy).toContain("frame-src 'self' blob: https://video.example.org;");
  expect(policy.match(/https:/g)).toHaveLength(1);
});
