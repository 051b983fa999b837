// Which part of the documentation is about a page of the portal.

import type { Route } from '../route.ts';

const HELP: Readonly<Record<Route['page'], string>> = {
  catalogue: 'first-steps#finding',
  layer: 'first-steps#the-page-of-an-item',
  'new-layer': 'adding-data#an-empty-layer',
  'layer-embed': 'map-viewer#saving-printing-sharing',
  map: 'first-steps#the-page-of-an-item',
  'map-embed': 'map-viewer#saving-printing-sharing',
  document: 'first-steps#the-page-of-an-item',
  app: 'dashboards',
  'app-embed': 'dashboards',
  'app-editor': 'dashboards#making-one',
  'story-editor': 'dashboards#stories',
  viewer: 'map-viewer',
  add: 'adding-data',
  services: 'map-viewer#layers-of-other-services',
  account: 'first-steps#your-account',
  groups: 'first-steps#groups',
  group: 'first-steps#groups',
  notifications: 'working-together#following-and-notifications',
  login: 'first-steps#your-account',
  forgotten: 'first-steps#your-account',
  register: 'first-steps#your-account',
  'mail-link': 'first-steps#your-account',
  admin: 'operations#status-space-limits',
  console: 'reading',
  docs: 'first-steps',
  lost: 'first-steps#finding',
};

/** An address below /docs/. */
export function helpOf(route: Route): string {
  return `/docs/${HELP[route.page]}`;
}
