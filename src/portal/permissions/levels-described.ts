// What the levels of permissions of an item say of themselves.

import { tagOf } from '../description/described-route.ts';
import type { Text } from '../description/language.ts';
import type { Described } from '../description/operation.ts';
import { reference, type Schema, TEXT } from '../description/schema.ts';
import { LEVELS } from './levels.ts';

const LEVEL: Schema = { type: 'string', enum: LEVELS };
const FLAG: Schema = { type: 'boolean', nullable: true, description: 'Null to who may not know.' };

const entry = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties: { id: { type: 'integer' }, ...properties, permissions: LEVEL },
  required: ['id', ...Object.keys(properties), 'permissions'],
  additionalProperties: false,
});

const SHOWN_LEVELS: Schema = {
  type: 'object',
  properties: {
    users: {
      type: 'array',
      items: entry({
        username: TEXT,
        first_name: TEXT,
        last_name: TEXT,
        avatar: { type: 'string', format: 'uri' },
        is_superuser: FLAG,
        is_staff: FLAG,
      }),
    },
    organizations: {
      type: 'array',
      items: entry({ title: TEXT, name: TEXT, logo: { type: 'string', nullable: true } }),
    },
    groups: {
      type: 'array',
      description: 'What everybody may do (`anonymous`), and every account (`registered-members`).',
      items: entry({ title: TEXT, name: TEXT }),
    },
  },
  required: ['users', 'organizations', 'groups'],
  additionalProperties: false,
};

/** Named by id, or by name; what else was read may stand there, too. */
const sentEntry = (name: string): Schema => ({
  type: 'object',
  properties: { id: { type: 'integer' }, [name]: TEXT, permissions: LEVEL },
  required: ['permissions'],
});

const SENT_LEVELS: Schema = {
  type: 'object',
  properties: {
    users: { type: 'array', items: sentEntry('username') },
    organizations: { type: 'array', items: sentEntry('name') },
    groups: { type: 'array', items: sentEntry('name') },
  },
  additionalProperties: false,
};

const answered = (id: string, tag: string, summary: Text, more: Partial<Described> = {}): Described => ({
  id,
  tag,
  summary,
  answers: { 200: reference('PermissionLevels') },
  refusals: [400, 403, 404],
  components: { PermissionLevels: SHOWN_LEVELS },
  ...more,
});

/** Who has taken the own permissions away may not know them any more. */
const CHANGED: Pick<Described, 'answers'> = { answers: { 200: reference('PermissionLevels'), 204: undefined } };

export function levelsDescribed(path: string): Readonly<Record<'get' | 'put' | 'patch' | 'delete', Described>> {
  const tag = tagOf(path);
  const sent = {
    ...CHANGED,
    body: SENT_LEVELS,
    examples: { everybody: { groups: [{ name: 'anonymous', permissions: 'view' }] } },
  };
  return {
    get: answered(`${tag}_permissions`, tag, {
      en: 'Who may do what with it, as levels: view, download, edit, manage',
      de: 'Wer was damit darf, in Stufen: ansehen, herunterladen, bearbeiten, verwalten',
    }),
    put: answered(`${tag}_put_permissions`, tag, { en: 'Replace', de: 'Ersetzen' }, sent),
    patch: answered(`${tag}_patch_permissions`, tag, { en: 'Change', de: 'Ändern' }, sent),
    delete: answered(`${tag}_delete_permissions`, tag, { en: 'Delete', de: 'Löschen' }, CHANGED),
  };
}
