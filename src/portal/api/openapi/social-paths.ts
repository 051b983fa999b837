// Comments, ratings, following and notifications, described.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Operation, type Paths } from '../../description/operation.ts';
import { reference, type Schema } from '../../description/schema.ts';
import { RESOURCE_TYPES } from '../../kinds/item/common-fields.ts';
import { MAX_COMMENT } from '../../social/comment-paths.ts';
import { NOTIFICATION_KINDS, NOTIFICATION_WAYS } from '../../social/notification-paths.ts';
import { MOST_LISTED, USUALLY_LISTED } from '../../social/page-query.ts';
import { MOST_STARS } from '../../social/rating-paths.ts';
import { idIn } from './id-parameter.ts';
import { TEXTS } from './texts.ts';

const closed = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const TEXT: Schema = { type: 'string' };
const FLAG: Schema = { type: 'boolean' };
const NUMBER: Schema = { type: 'integer', minimum: 0 };
const MOMENT: Schema = { type: 'string', format: 'date-time' };

const AUTHOR: Schema = closed({ pk: { type: 'integer' }, username: TEXT, first_name: TEXT, last_name: TEXT });

/** For the components of the document. */
export const SOCIAL_SCHEMAS: Readonly<Record<string, Schema>> = {
  Comment: closed({
    id: { type: 'integer' },
    author: { ...AUTHOR, nullable: true },
    body: { ...TEXT, description: 'Plain text with line breaks.' },
    created: MOMENT,
    edited: { ...MOMENT, nullable: true },
    hidden: { ...FLAG, description: 'Shown to its author, the owner of the item and administrators only.' },
    may_edit: FLAG,
    may_delete: FLAG,
    may_hide: FLAG,
  }),
  Rating: closed({
    average: { type: 'number', minimum: 0, maximum: MOST_STARS, description: '0: nobody has rated it.' },
    count: NUMBER,
    mine: { type: 'integer', minimum: 1, maximum: MOST_STARS, nullable: true },
  }),
  Following: closed({ following: FLAG }),
  Notification: closed({
    id: { type: 'integer' },
    kind: { type: 'string', enum: NOTIFICATION_KINDS },
    at: MOMENT,
    read: FLAG,
    actor: { ...AUTHOR, nullable: true },
    resource: closed({ pk: TEXT, resource_type: { type: 'string', enum: RESOURCE_TYPES }, title: TEXT }),
    comment: { ...TEXT, nullable: true, description: 'The beginning of the comment that it is about.' },
  }),
};

const COMMENTS: Schema = closed({
  comments: { type: 'array', items: reference('Comment') },
  total: { ...NUMBER, description: 'How many there are that nobody has hidden.' },
  may_comment: FLAG,
  is_open: { ...FLAG, description: 'Whether comments are written in this portal.' },
});

const FOLLOWED: Schema = closed({
  users: { type: 'array', items: AUTHOR },
  groups: { type: 'array', items: closed({ pk: { type: 'integer' }, name: TEXT, title: TEXT }) },
});

const NOTIFICATIONS: Schema = closed({
  notifications: { type: 'array', items: reference('Notification') },
  unread: { ...NUMBER, maximum: 100, description: 'How many are unread; 100: or more.' },
});

const PAGE = [
  { name: 'before', in: 'query', schema: { type: 'integer', minimum: 1 } },
  {
    name: 'limit',
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: MOST_LISTED, default: USUALLY_LISTED },
  },
];

const WAYS: Readonly<Record<string, Schema>> = Object.fromEntries(NOTIFICATION_WAYS.map((way) => [way, FLAG]));
const shownChoices: Schema = closed(Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, closed(WAYS)])));
const sentChoices: Schema = {
  type: 'object',
  properties: Object.fromEntries(
    NOTIFICATION_KINDS.map((kind) => [kind, { type: 'object', properties: WAYS, additionalProperties: false }]),
  ),
  additionalProperties: false,
};

export function socialPaths(language: Language): Paths {
  const answer = (schema: Schema): object => ({
    description: ANSWER_TEXTS.done[language],
    content: jsonContent(schema),
  });
  const operation = (tag: string, operationId: string, text: keyof typeof TEXTS, rest: Operation): Operation => ({
    operationId,
    tags: [tag],
    summary: TEXTS[text][language],
    ...rest,
  });
  const ofItem = [idIn('id')];
  const refusals = failures(language, '400', '401', '403', '404');
  const commentBody = { type: 'string', minLength: 1, maxLength: MAX_COMMENT };
  const following = { 200: answer(reference('Following')), ...refusals };
  return {
    '/api/v2/resources/{id}/comments/': {
      get: operation('resources', 'resources_comments', 'comments', {
        parameters: [...ofItem, ...PAGE],
        responses: { 200: answer(COMMENTS), ...failures(language, '400', '404') },
      }),
      post: operation('resources', 'resources_add_comment', 'addComment', {
        parameters: ofItem,
        requestBody: {
          required: true,
          content: jsonContent(closed({ body: commentBody }), { comment: { body: 'Which year is this of?' } }),
        },
        responses: { 201: answer(reference('Comment')), ...refusals },
      }),
    },
    '/api/v2/resources/{id}/comments/{comment}/': {
      patch: operation('resources', 'resources_change_comment', 'changeComment', {
        parameters: [...ofItem, idIn('comment')],
        requestBody: {
          required: true,
          content: jsonContent(
            { type: 'object', properties: { body: commentBody, hidden: FLAG }, additionalProperties: false },
            { text: { body: 'Which year is this of, please?' }, hide: { hidden: true } },
          ),
        },
        responses: { 200: answer(reference('Comment')), ...refusals },
      }),
      delete: operation('resources', 'resources_delete_comment', 'deleteComment', {
        parameters: [...ofItem, idIn('comment')],
        responses: { 204: { description: ANSWER_TEXTS.done[language] }, ...refusals },
      }),
    },
    '/api/v2/resources/{id}/rating/': {
      get: operation('resources', 'resources_rating', 'rating', {
        parameters: ofItem,
        responses: { 200: answer(reference('Rating')), ...failures(language, '404') },
      }),
      put: operation('resources', 'resources_rate', 'rate', {
        parameters: ofItem,
        requestBody: {
          required: true,
          content: jsonContent(closed({ stars: { type: 'integer', minimum: 1, maximum: MOST_STARS } }), {
            good: { stars: 4 },
          }),
        },
        responses: { 200: answer(reference('Rating')), ...refusals },
      }),
      delete: operation('resources', 'resources_unrate', 'unrate', {
        parameters: ofItem,
        responses: { 200: answer(reference('Rating')), ...refusals },
      }),
    },
    '/api/v2/resources/{id}/follow/': {
      get: operation('resources', 'resources_following', 'following', { parameters: ofItem, responses: following }),
      post: operation('resources', 'resources_follow', 'follow', { parameters: ofItem, responses: following }),
      delete: operation('resources', 'resources_unfollow', 'unfollow', { parameters: ofItem, responses: following }),
    },
    ...Object.fromEntries(
      (['users', 'groups'] as const).map((tag) => [
        `/api/v2/${tag}/{id}/follow/`,
        {
          get: operation(tag, `${tag}_following`, 'followingSource', { parameters: ofItem, responses: following }),
          post: operation(tag, `${tag}_follow`, 'followSource', { parameters: ofItem, responses: following }),
          delete: operation(tag, `${tag}_unfollow`, 'unfollowSource', { parameters: ofItem, responses: following }),
        },
      ]),
    ),
    '/api/v2/following/': {
      get: operation('users', 'following_list', 'followedSources', {
        responses: { 200: answer(FOLLOWED), ...failures(language, '401') },
      }),
    },
    '/api/v2/notifications/': {
      get: operation('users', 'notifications_list', 'notifications', {
        parameters: [...PAGE, { name: 'unread', in: 'query', schema: FLAG }],
        responses: { 200: answer(NOTIFICATIONS), ...failures(language, '400', '401') },
      }),
    },
    '/api/v2/notifications/unread/': {
      get: operation('users', 'notifications_unread', 'unreadNotifications', {
        responses: {
          200: answer(closed({ unread: { ...NUMBER, maximum: 100 } })),
          ...failures(language, '401'),
        },
      }),
    },
    '/api/v2/notifications/{id}/': {
      patch: operation('users', 'notifications_mark', 'markNotification', {
        parameters: ofItem,
        requestBody: { required: true, content: jsonContent(closed({ read: FLAG }), { read: { read: true } }) },
        responses: { 200: answer(reference('Updated')), ...refusals },
      }),
    },
    '/api/v2/notifications/read/': {
      post: operation('users', 'notifications_mark_all', 'markNotifications', {
        requestBody: {
          required: true,
          content: jsonContent(closed({ up_to: NUMBER }), { all: { up_to: 17 } }),
        },
        responses: { 200: answer(reference('Updated')), ...failures(language, '400', '401', '403') },
      }),
    },
    '/api/v2/notifications/settings/': {
      get: operation('users', 'notifications_settings', 'notificationSettings', {
        responses: { 200: answer(closed({ settings: shownChoices })), ...failures(language, '401') },
      }),
      patch: operation('users', 'notifications_choose', 'chooseNotifications', {
        requestBody: {
          required: true,
          content: jsonContent(sentChoices, { lessMail: { mention: { by_mail: false } } }),
        },
        responses: { 200: answer(reference('Updated')), ...failures(language, '400', '401', '403') },
      }),
    },
  };
}
