import { expect, test } from 'vitest';
import { routeOf, safeNext } from './route.ts';

test.each([
  ['/', { page: 'catalogue' }],
  ['/layers/12', { page: 'layer', name: '12' }],
  ['/layers/new', { page: 'new-layer' }],
  ['/layers/portal_data:portal:rivers/', { page: 'layer', name: 'portal_data:portal:rivers' }],
  ['/layers/portal%3Arivers/embed', { page: 'layer-embed', name: 'portal:rivers' }],
  ['/layers/%E0%A4%A', { page: 'layer', name: '%E0%A4%A' }],
  ['/maps/7', { page: 'map', id: 7 }],
  ['/maps/7/embed/', { page: 'map-embed', id: 7 }],
  ['/maps/0', { page: 'lost' }],
  ['/maps/7/8', { page: 'lost' }],
  ['/apps/preview/9', { page: 'app', id: 9 }],
  ['/apps/9/embed', { page: 'app-embed', id: 9 }],
  ['/apps/new', { page: 'app-editor', id: undefined }],
  ['/apps/9/edit', { page: 'app-editor', id: 9 }],
  ['/apps/9', { page: 'lost' }],
  ['/stories/new', { page: 'story-editor', id: undefined }],
  ['/stories/3/edit', { page: 'story-editor', id: 3 }],
  ['/viewer', { page: 'viewer', id: undefined }],
  ['/viewer/x', { page: 'lost' }],
  ['/add', { page: 'add', upload: undefined }],
  ['/add/5', { page: 'add', upload: 5 }],
  ['/add/services', { page: 'services' }],
  ['/add/services/x', { page: 'lost' }],
  ['/admin', { page: 'admin' }],
  ['/admin/x', { page: 'lost' }],
  ['/console', { page: 'console' }],
  ['/console/x', { page: 'lost' }],
  ['/notifications', { page: 'notifications' }],
  ['/notifications/x', { page: 'lost' }],
  ['/account/login/', { page: 'login' }],
  ['/account/forgotten', { page: 'forgotten' }],
  ['/account/register', { page: 'register' }],
  ['/account/link', { page: 'mail-link' }],
  ['/account/link/x', { page: 'lost' }],
  ['/docs', { page: 'docs', name: undefined }],
  ['/docs/reading/', { page: 'docs', name: 'reading' }],
  ['/docs/reading/x', { page: 'lost' }],
  ['/constructor', { page: 'lost' }],
])('%s is a page', (path, route) => {
  expect(routeOf(path)).toEqual(route);
});

test.each([
  ['/maps/1?x=2#z', '/maps/1?x=2#z'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/account/login?next=/', '/'],
  [null, '/'],
])('after signing in, %s leads to %s', (next, safe) => {
  expect(safeNext(next)).toBe(safe);
});
