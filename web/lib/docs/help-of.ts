// Which part of the documentation is about a page of the portal.

import type { Route } from '../route.ts';

const HELP: Readonly<Record<Route['page'], string>> = {
  catalogue: 'first-steps#finding',
  layer: 'first-steps#the-page-of-an-item',
  'new-layer': 'uploads#a-layer-without-a-file',
  'layer-embed': 'portal-pages#what-there-is',
  map: 'first-steps#the-page-of-an-item',
  'map-embed': 'portal-pages#what-there-is',
  document: 'portal-api#documents',
  app: 'dashboards',
  'app-embed': 'dashboards',
  'app-editor': 'dashboards#making-one',
  'story-editor': 'portal-pages#stories-as-data',
  viewer: 'first-steps#the-map-viewer',
  add: 'first-steps#adding-data',
  services: 'maps-and-styles#registered-services',
  account: 'first-steps#your-account',
  groups: 'first-steps#groups',
  group: 'first-steps#groups',
  notifications: 'portal-pages#comments-ratings-notifications',
  login: 'first-steps#your-account',
  forgotten: 'first-steps#your-account',
  register: 'first-steps#your-account',
  'mail-link': 'first-steps#your-account',
  admin: 'operations#status-space-limits',
  console: 'reading',
  docs: 'first-steps',
  lost: 'portal-pages#what-there-is',
};

/** An address below /docs/. */
export function helpOf(route: Route): string {
  return `/docs/${HELP[route.page]}`;
}
