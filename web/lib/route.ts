// Addresses of pages → which page and its parts. Pure; the same list as the server's.

export type Route =
  | { readonly page: 'catalogue' }
  | { readonly page: 'layer'; readonly name: string }
  | { readonly page: 'new-layer' }
  | { readonly page: 'layer-embed'; readonly name: string }
  | { readonly page: 'map'; readonly id: number }
  | { readonly page: 'map-embed'; readonly id: number }
  | { readonly page: 'document'; readonly id: number }
  | { readonly page: 'app'; readonly id: number }
  | { readonly page: 'app-embed'; readonly id: number }
  | { readonly page: 'app-editor'; readonly id: number | undefined }
  | { readonly page: 'story-editor'; readonly id: number | undefined }
  | { readonly page: 'viewer'; readonly id: number | undefined }
  | { readonly page: 'add'; readonly upload: number | undefined }
  | { readonly page: 'services' }
  | { readonly page: 'account' }
  | { readonly page: 'groups' }
  | { readonly page: 'group'; readonly id: number }
  | { readonly page: 'notifications' }
  | { readonly page: 'login' }
  | { readonly page: 'forgotten' }
  | { readonly page: 'register' }
  | { readonly page: 'mail-link' }
  | { readonly page: 'admin' }
  | { readonly page: 'console' }
  | { readonly page: 'docs'; readonly name: string | undefined }
  | { readonly page: 'lost' };

const NUMBER = /^[1-9]\d{0,8}$/;
const LOST: Route = { page: 'lost' };
const ACCOUNT_PAGES: ReadonlyMap<string | undefined, Route> = new Map<string | undefined, Route>([
  [undefined, { page: 'account' }],
  ['login', { page: 'login' }],
  ['forgotten', { page: 'forgotten' }],
  ['register', { page: 'register' }],
  ['link', { page: 'mail-link' }],
]);

export function routeOf(path: string): Route {
  const parts = path.split('/').filter((part) => part !== '');
  const [first, second, third] = parts.map(decoded);
  const id = second !== undefined && NUMBER.test(second) ? Number(second) : undefined;
  switch (first) {
    case undefined:
      return { page: 'catalogue' };
    case 'layers':
      if (second === undefined || parts.length > 3) return LOST;
      // Names of layers have their workspace before them, so that none is called so.
      if (third === undefined) return second === 'new' ? { page: 'new-layer' } : { page: 'layer', name: second };
      return third === 'embed' ? { page: 'layer-embed', name: second } : LOST;
    case 'maps':
      if (id === undefined || parts.length > 3) return LOST;
      return third === undefined ? { page: 'map', id } : third === 'embed' ? { page: 'map-embed', id } : LOST;
    case 'documents':
      return id === undefined || parts.length > 2 ? LOST : { page: 'document', id };
    case 'apps':
      if (second === 'preview' && third !== undefined && NUMBER.test(third)) return { page: 'app', id: Number(third) };
      if (second === 'new' && third === undefined) return { page: 'app-editor', id: undefined };
      if (id === undefined || parts.length > 3) return LOST;
      return third === 'embed' ? { page: 'app-embed', id } : third === 'edit' ? { page: 'app-editor', id } : LOST;
    case 'stories':
      if (second === 'new' && third === undefined) return { page: 'story-editor', id: undefined };
      return id !== undefined && third === 'edit' ? { page: 'story-editor', id } : LOST;
    case 'viewer':
      return parts.length === 1 || id !== undefined ? { page: 'viewer', id } : LOST;
    case 'add':
      if (second === 'services' && third === undefined) return { page: 'services' };
      return parts.length === 1 || id !== undefined ? { page: 'add', upload: id } : LOST;
    case 'account':
      return parts.length > 2 ? LOST : (ACCOUNT_PAGES.get(second) ?? LOST);
    case 'groups':
      if (parts.length === 1) return { page: 'groups' };
      return id === undefined || parts.length > 2 ? LOST : { page: 'group', id };
    case 'notifications':
      return second === undefined ? { page: 'notifications' } : LOST;
    case 'admin':
      return second === undefined ? { page: 'admin' } : LOST;
    case 'console':
      return second === undefined ? { page: 'console' } : LOST;
    case 'docs':
      return parts.length > 2 ? LOST : { page: 'docs', name: second };
    default:
      return LOST;
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The page of an item, as a path of this portal. */
export function pathOfResource(item: { readonly pk: string; readonly resource_type: string }): string {
  switch (item.resource_type) {
    case 'layer':
      return `/layers/${item.pk}`;
    case 'map':
      return `/maps/${item.pk}`;
    case 'document':
      return `/documents/${item.pk}`;
    default:
      return `/apps/preview/${item.pk}`;
  }
}

/** Only a path of this portal: nobody is sent elsewhere after signing in. */
export function safeNext(next: string | null): string {
  return next !== null && /^\/(?![/\\])[^\\\s]*$/.test(next) && !next.startsWith('/account/login') ? next : '/';
}
