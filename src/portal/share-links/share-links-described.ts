// What the routes of unlisted links say of themselves.

import type { Described } from '../description/operation.ts';
import {
  arrayOf,
  body,
  FLAG,
  INTEGER,
  MOMENT,
  orNull,
  record,
  reference,
  type Schema,
  TEXT,
} from '../description/schema.ts';
import { RESOURCE_TYPES } from '../kinds/item/common-fields.ts';

const LEVEL: Schema = { type: 'string', enum: ['view', 'download'] };

const SHARE_LINKS: Schema = record({
  links: arrayOf(
    record({
      id: INTEGER,
      title: TEXT,
      url: {
        ...TEXT,
        description: 'The page of the item with the secret in `link`; other addresses of it take the same.',
      },
      embed_url: { ...orNull(TEXT), description: 'The same for a frame; null: the item has no page for frames.' },
      permissions: LEVEL,
      made_by: TEXT,
      created: MOMENT,
      renewed: orNull(MOMENT),
      expires: { ...orNull(MOMENT), description: 'Null: never.' },
      is_on: FLAG,
      is_good: { ...FLAG, description: 'It is on, and has not ended.' },
    }),
  ),
  lacking: {
    ...arrayOf(
      record({
        pk: TEXT,
        title: TEXT,
        resource_type: { type: 'string', enum: RESOURCE_TYPES },
        may_share: { ...FLAG, description: 'The caller may let the links show it.' },
      }),
    ),
    description: 'Items that this one shows, and that those who have a link do not see.',
  },
  shown_by: {
    ...arrayOf(record({ id: INTEGER, permissions: LEVEL, pk: orNull(TEXT), item: orNull(TEXT) })),
    description: 'Links of other items by which this one is seen; null: the caller does not see the other item.',
  },
});

const SENT: Record<string, Schema> = {
  title: { ...TEXT, maxLength: 100, description: 'For whom it is; only who manages the item reads it.' },
  permissions: LEVEL,
  expires: { ...orNull(MOMENT), description: 'Null: never.' },
};

const ANSWER = { 200: reference('ShareLinks') };
const REFUSALS = [400, 401, 403, 404] as const;
const tag = 'resources';

export const LIST: Described = {
  id: 'resources_share_links',
  tag,
  summary: {
    en: 'Links for everybody who has them; for who manages the permissions',
    de: 'Links für alle, die sie haben; für den, der die Rechte verwaltet',
  },
  answers: ANSWER,
  refusals: [401, 403, 404],
  components: { ShareLinks: SHARE_LINKS },
};

export const MAKE: Described = {
  id: 'resources_share_links_make',
  tag,
  summary: { en: 'Make a link; 20 for an item at most', de: 'Einen Link anlegen; höchstens 20 je Eintrag' },
  body: body(SENT, []),
  examples: { press: { title: 'For the press', permissions: 'view', expires: '2099-12-31T12:00:00Z' } },
  answers: { 201: reference('ShareLinks') },
  refusals: REFUSALS,
};

export const CHANGE: Described = {
  id: 'resources_share_links_change',
  tag,
  summary: {
    en: 'When it ends, what it lets people do, whether it is on',
    de: 'Wann er endet, was er erlaubt, ob er an ist',
  },
  body: body({ ...SENT, is_on: FLAG }, []),
  examples: { off: { is_on: false } },
  answers: ANSWER,
  refusals: REFUSALS,
};

export const RENEW: Described = {
  id: 'resources_share_links_renew',
  tag,
  summary: {
    en: 'Another secret; the address before is good for nothing at once',
    de: 'Ein neues Geheimnis; die Adresse davor gilt sofort nicht mehr',
  },
  answers: ANSWER,
  refusals: REFUSALS,
};

export const END: Described = {
  id: 'resources_share_links_end',
  tag,
  summary: {
    en: 'End it; a link of another item shows this one no more',
    de: 'Ihn beenden; ein Link eines anderen Eintrags zeigt diesen nicht mehr',
  },
  answers: ANSWER,
  refusals: REFUSALS,
};

export const SHARE: Described = {
  id: 'resources_share_links_share',
  tag,
  summary: {
    en: 'Let the links show what the item shows, where the caller may',
    de: 'Die Links zeigen lassen, was der Eintrag zeigt, soweit man das darf',
  },
  answers: ANSWER,
  refusals: REFUSALS,
};
