// What is about accounts, memberships, settings and the document itself, described.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import { reference, type Schema } from '../../description/schema.ts';
import { MAX_MESSAGE, MODES } from '../../mode/mode-store.ts';
import { AUDIT_FORMATS, MOST_ENTRIES } from '../audit-paths.ts';
import { SETTINGS } from '../setting-paths.ts';
import { idIn } from './id-parameter.ts';
import { TEXTS } from './texts.ts';

const MODE: Schema = {
  type: 'object',
  properties: {
    mode: { type: 'string', enum: MODES },
    message: { type: 'string' },
    since: { type: 'string', format: 'date-time', nullable: true },
  },
  required: ['mode', 'message', 'since'],
  additionalProperties: false,
};

const NEW_MODE: Schema = {
  type: 'object',
  properties: { mode: { type: 'string', enum: MODES }, message: { type: 'string', maxLength: MAX_MESSAGE } },
  required: ['mode'],
  additionalProperties: false,
};

const MEMBERSHIP: Schema = {
  type: 'object',
  properties: {
    username: { type: 'string' },
    role: { type: 'string', enum: ['member', 'manager'], default: 'member' },
  },
  required: ['username'],
};

const MEMBER: Schema = {
  type: 'object',
  properties: {
    pk: { type: 'integer' },
    username: { type: 'string' },
    role: { type: 'string', enum: ['member', 'manager'] },
  },
  required: ['pk', 'username', 'role'],
  additionalProperties: false,
};

const ROLE: Schema = { type: 'string', enum: ['member', 'manager'] };

const INVITED: Schema = {
  type: 'object',
  properties: { username: { type: 'string' }, role: ROLE, state: { type: 'string', enum: ['invited'] } },
  required: ['username', 'role', 'state'],
  additionalProperties: false,
};

const INVITATION: Schema = {
  type: 'object',
  properties: {
    group: {
      type: 'object',
      properties: {
        pk: { type: 'integer' },
        slug: { type: 'string' },
        title: { type: 'string' },
        description: { type: 'string' },
      },
      required: ['pk', 'slug', 'title', 'description'],
      additionalProperties: false,
    },
    role: ROLE,
    invited_by: { type: 'string', nullable: true },
    date: { type: 'string', format: 'date-time' },
  },
  required: ['group', 'role', 'invited_by', 'date'],
  additionalProperties: false,
};

const OPEN_INVITATION: Schema = {
  type: 'object',
  properties: { username: { type: 'string' }, role: ROLE, date: { type: 'string', format: 'date-time' } },
  required: ['username', 'role', 'date'],
  additionalProperties: false,
};

const listed = (items: Schema): Schema => ({
  type: 'object',
  properties: { invitations: { type: 'array', items } },
  required: ['invitations'],
  additionalProperties: false,
});

const NEW_PASSWORD: Schema = {
  type: 'object',
  properties: {
    password: { type: 'string', format: 'password' },
    old_password: { type: 'string', format: 'password', description: 'For one’s own.' },
  },
  required: ['password'],
};

const CLAIMS: Schema = {
  type: 'object',
  properties: {
    sub: { type: 'string' },
    name: { type: 'string' },
    given_name: { type: 'string' },
    family_name: { type: 'string' },
    email: { type: 'string' },
    email_verified: { type: 'boolean' },
    preferred_username: { type: 'string' },
    groups: { type: 'array', items: { type: 'string' } },
  },
  required: ['sub', 'preferred_username'],
  additionalProperties: true,
};

const AUDIT: Schema = {
  type: 'object',
  properties: {
    entries: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          at: { type: 'string', format: 'date-time' },
          actor: { type: 'integer', nullable: true },
          actor_name: { type: 'string', nullable: true },
          act: { type: 'string' },
          subject: { type: 'string' },
          subject_id: { type: 'integer', nullable: true },
          name: { type: 'string', nullable: true },
          detail: {},
        },
        required: ['id', 'at', 'actor', 'actor_name', 'act', 'subject', 'subject_id', 'name', 'detail'],
        additionalProperties: false,
      },
    },
    next: { type: 'string', nullable: true },
  },
  required: ['entries', 'next'],
  additionalProperties: false,
};

const SWITCHES: Schema = {
  type: 'object',
  properties: Object.fromEntries(SETTINGS.map((name) => [name, { type: 'boolean' }])),
  additionalProperties: false,
};

export function accountPaths(language: Language): Paths {
  const answer = (schema: Schema): object => ({
    description: ANSWER_TEXTS.done[language],
    content: jsonContent(schema),
  });
  const refusals = failures(language, '400', '401', '403', '404');
  return {
    '/api/v2/groups/{id}/members/{account}/': {
      delete: {
        operationId: 'groups_remove_member',
        tags: ['groups'],
        summary: TEXTS.removeMember[language],
        parameters: [idIn('id'), idIn('account')],
        responses: { 204: { description: ANSWER_TEXTS.done[language] }, ...refusals },
      },
    },
    '/api/v2/invitations/': {
      get: {
        operationId: 'invitations_list',
        tags: ['groups'],
        summary: TEXTS.ownInvitations[language],
        responses: { 200: answer(listed(INVITATION)), ...failures(language, '401', '403') },
      },
    },
    '/api/v2/invitations/{group}/': {
      get: {
        operationId: 'invitations_of_group',
        tags: ['groups'],
        summary: TEXTS.openInvitations[language],
        parameters: [idIn('group')],
        responses: { 200: answer(listed(OPEN_INVITATION)), ...refusals },
      },
      put: {
        operationId: 'invitations_answer',
        tags: ['groups'],
        summary: TEXTS.answerInvitation[language],
        parameters: [idIn('group')],
        requestBody: {
          required: true,
          content: jsonContent(
            { type: 'object', properties: { accept: { type: 'boolean' } }, required: ['accept'] },
            { join: { accept: true } },
          ),
        },
        responses: { 200: answer(reference('Updated')), ...refusals },
      },
    },
    '/api/v2/invitations/{group}/{username}/': {
      delete: {
        operationId: 'invitations_withdraw',
        tags: ['groups'],
        summary: TEXTS.withdrawInvitation[language],
        parameters: [
          idIn('group'),
          { name: 'username', in: 'path', required: true, schema: { type: 'string', maxLength: 150 } },
        ],
        responses: { 204: { description: ANSWER_TEXTS.done[language] }, ...refusals },
      },
    },
    '/api/v2/users/{id}/password/': {
      put: {
        operationId: 'users_set_password',
        tags: ['users'],
        summary: TEXTS.setPassword[language],
        parameters: [idIn('id')],
        requestBody: {
          required: true,
          content: jsonContent(NEW_PASSWORD, { byAdministrator: { password: 'a long new password' } }),
        },
        responses: { 200: answer(reference('Updated')), ...refusals },
      },
    },
    '/api/v2/settings/': {
      get: {
        operationId: 'settings_read',
        tags: ['settings'],
        summary: TEXTS.settings[language],
        responses: {
          200: answer({
            type: 'object',
            properties: { settings: { ...SWITCHES, required: SETTINGS } },
            required: ['settings'],
            additionalProperties: false,
          }),
        },
      },
      patch: {
        operationId: 'settings_change',
        tags: ['settings'],
        summary: TEXTS.turnSettings[language],
        requestBody: { required: true, content: jsonContent(SWITCHES, { published: { RESOURCE_PUBLISHING: false } }) },
        responses: { 200: answer(reference('Updated')), ...failures(language, '400', '401', '403') },
      },
    },
    '/api/v2/mode/': {
      get: {
        operationId: 'mode_read',
        tags: ['settings'],
        summary: TEXTS.mode[language],
        responses: { 200: answer(MODE) },
      },
      put: {
        operationId: 'mode_set',
        tags: ['settings'],
        summary: TEXTS.setMode[language],
        requestBody: {
          required: true,
          content: jsonContent(NEW_MODE, { open: { mode: 'normal', message: '' } }),
        },
        responses: { 200: answer(MODE), ...failures(language, '400', '401', '403') },
      },
    },
    '/api/v2/audit/': {
      get: {
        operationId: 'audit_list',
        tags: ['settings'],
        summary: TEXTS.audit[language],
        parameters: [
          { name: 'before', in: 'query', schema: { type: 'integer', minimum: 1 } },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: MOST_ENTRIES, default: 100 } },
          { name: 'act', in: 'query', schema: { type: 'string' } },
          { name: 'actor', in: 'query', schema: { type: 'string' } },
          { name: 'name', in: 'query', schema: { type: 'string' } },
          { name: 'since', in: 'query', schema: { type: 'string', format: 'date-time' } },
          { name: 'until', in: 'query', schema: { type: 'string', format: 'date-time' } },
          { name: 'export', in: 'query', schema: { type: 'string', enum: AUDIT_FORMATS, default: 'json' } },
        ],
        responses: { 200: answer(AUDIT), ...failures(language, '400', '401', '403') },
      },
    },
    '/api/v2/users/{id}/hand_over/': {
      post: {
        operationId: 'users_hand_over',
        tags: ['users'],
        summary: TEXTS.handOver[language],
        parameters: [idIn('id')],
        requestBody: {
          required: true,
          content: jsonContent(
            { type: 'object', properties: { username: { type: 'string' } }, required: ['username'] },
            { toAdmin: { username: 'admin' } },
          ),
        },
        responses: { 200: answer(reference('Updated')), ...refusals },
      },
    },
    '/o/userinfo/': {
      get: {
        operationId: 'userinfo',
        tags: ['users'],
        summary: TEXTS.whoAmI[language],
        responses: { 200: answer(CLAIMS), ...failures(language, '401') },
      },
    },
    '/api/v2/schema/': {
      get: {
        operationId: 'schema',
        tags: ['root'],
        summary: TEXTS.schema[language],
        parameters: [
          {
            name: 'format',
            in: 'query',
            schema: { type: 'string', enum: ['yaml', 'json', 'openapi', 'openapi-json'] },
            example: 'json',
          },
          { name: 'lang', in: 'query', schema: { type: 'string' }, example: 'de' },
        ],
        responses: {
          200: {
            description: ANSWER_TEXTS.done[language],
            content: Object.fromEntries(
              [
                'application/vnd.oai.openapi',
                'application/yaml',
                'application/vnd.oai.openapi+json',
                'application/json',
              ].map((type) => [type, { schema: type.endsWith('json') ? { type: 'object' } : { type: 'string' } }]),
            ),
          },
          ...failures(language, '404'),
        },
      },
    },
  };
}

/** POST on the members of a group, beside their list. */
export function addMember(language: Language): object {
  const done = { description: ANSWER_TEXTS.done[language], content: jsonContent(MEMBER) };
  return {
    operationId: 'groups_add_member',
    tags: ['groups'],
    summary: TEXTS.addMember[language],
    parameters: [idIn('id')],
    requestBody: {
      required: true,
      content: jsonContent(MEMBERSHIP, {
        manager: { username: 'admin', role: 'manager' },
        member: { username: 'admin' },
      }),
    },
    responses: {
      200: done,
      201: done,
      202: { description: TEXTS.invited[language], content: jsonContent(INVITED) },
      ...failures(language, '400', '401', '403', '404'),
    },
  };
}
