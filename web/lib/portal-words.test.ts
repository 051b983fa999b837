// The pages know the portal's sentences by their words: here both sides are held together, so that a sentence that changes there is
// changed here as well.

import { expect, test } from 'vitest';
import type { ImportFailure } from '../../src/mapserver/import/import-failure.ts';
import { importFailureText } from '../../src/mapserver/import/import-failure-text.ts';
import { passwordComplaint } from '../../src/portal/accounts/password-rules.ts';
import { constraintMessages } from '../../src/portal/errors/constraint-messages.ts';
import type { PortalError } from '../../src/portal/errors/portal-error.ts';
import { portalReply } from '../../src/portal/errors/portal-reply.ts';
import { parseOrder } from '../../src/portal/uploads/upload-order.ts';
import { failureOf } from '../api/failure.ts';
import { loadLanguage, makeText } from './i18n/text.ts';
import { type ImportReason, importReason } from './import-reason.ts';
import { failureText, serverMessage } from './server-message.ts';

await loadLanguage('de');
const [en, de] = [makeText('en'), makeText('de')];
const file = 'a.csv';

const REASONS: { readonly [K in ImportFailure['kind']]: readonly Extract<ImportFailure, { kind: K }>[] } = {
  'no-files': [{ kind: 'no-files' }],
  'lost-file': [{ kind: 'lost-file', file }],
  'empty-file': [{ kind: 'empty-file', file }],
  unsupported: [
    { kind: 'unsupported', file, what: undefined },
    { kind: 'unsupported', file, what: 'a picture' },
  ],
  'bad-archive': (['broken', 'encrypted', 'unsafe-name', 'link', 'too-large', 'too-many', 'nested'] as const).flatMap(
    (fault) => [
      { kind: 'bad-archive', file, fault },
      { kind: 'bad-archive', file, fault, member: 'b' },
    ],
  ),
  'nothing-in-archive': [{ kind: 'nothing-in-archive', file }],
  'several-datasets': [{ kind: 'several-datasets', file, found: ['a', 'b'] }],
  'missing-part': [{ kind: 'missing-part', file, part: 'dbf' }],
  'forbidden-content': [{ kind: 'forbidden-content', file, what: 'a document type (DOCTYPE)' }],
  unreadable: [{ kind: 'unreadable', file, said: 'no' }],
  'bad-encoding': [
    { kind: 'bad-encoding', file, charset: 'UTF-8', line: undefined },
    { kind: 'bad-encoding', file, charset: 'UTF-8', line: 3 },
  ],
  'no-table': [{ kind: 'no-table', file, what: 'GeoJSON' }],
  'unknown-charset': [{ kind: 'unknown-charset', charset: 'x' }],
  'unknown-crs': [{ kind: 'unknown-crs', crs: 'x' }],
  'no-features': [{ kind: 'no-features', file }],
  'no-geometry': [{ kind: 'no-geometry', file }],
  'too-many-columns': [{ kind: 'too-many-columns', file, columns: 2000, limit: 1000 }],
  'bad-feature': [
    { kind: 'bad-feature', file, layer: '', feature: 1, column: undefined, said: 'no' },
    { kind: 'bad-feature', file, layer: 'rivers', feature: 1, column: 'depth', said: 'no' },
  ],
  'bad-row': [{ kind: 'bad-row', file, line: 4, said: 'no' }],
  'outside-crs': [
    { kind: 'outside-crs', file, crs: 'EPSG:25832', extent: '0 0 1 1' },
    { kind: 'outside-crs', file, crs: 'EPSG:25832', extent: '0 0 1 1', feature: 7 },
  ],
  'not-georeferenced': [{ kind: 'not-georeferenced', file }],
  'too-many-pixels': [{ kind: 'too-many-pixels', file, width: 1e6, height: 1e6, bands: 1, bytes: 1e12, limit: 2e10 }],
  'too-much-data': [{ kind: 'too-much-data', file, limit: 1e9 }],
  'too-long': [{ kind: 'too-long', seconds: 60 }],
  'too-much-memory': [{ kind: 'too-much-memory', bytes: 1e9 }],
  crashed: [{ kind: 'crashed', file, how: 'SIGSEGV' }],
  'no-space': [{ kind: 'no-space' }],
  'does-not-fit': [{ kind: 'does-not-fit', said: 'no' }],
  database: [{ kind: 'database', said: 'no' }],
};

test.each(Object.values(REASONS).flat())('why an import failed has a sentence in both languages: %j', (failure) => {
  const sent = JSON.parse(JSON.stringify(failure)) as ImportReason;
  for (const t of [en, de]) expect(importReason(t, sent, ''), importFailureText(failure)).not.toBe('');
});

test.each([
  'account_username',
  'account_username_check',
  'account_first_name_check',
  'account_detail_email_check',
  'user_group_slug_key',
  'user_group_slug_check',
  'user_group_title_check',
  'user_group_access_check',
  'resource_title_check',
  'resource_date_type_check',
  'resource_alternate',
  'resource_check',
  'keyword_name',
  'style_workspace_name_key',
  'resource_category_id_fkey',
  'resource_doi_check',
])('what the database refuses by %s is said in German', (constraint) => {
  const [[text = ''] = []] = Object.values(constraintMessages(constraint) ?? {});
  expect(text).not.toBe('');
  expect(serverMessage(de, { text })).not.toBe(text);
});

test.each<PortalError>([
  { kind: 'throttled', retryAfterSeconds: 1 },
  { kind: 'throttled', retryAfterSeconds: 30 },
  { kind: 'csrf', reason: 'missing-cookie' },
  { kind: 'csrf', reason: 'mismatch' },
  { kind: 'forbidden' },
  { kind: 'precondition-failed' },
  { kind: 'too-large', limit: 1000 },
  { kind: 'internal', reference: 'x' },
  { kind: 'database', error: { kind: 'closed' } },
])('a refusal is said in German: %j', (error) => {
  const { status, body } = portalReply(error, { isVisitor: false, isScript: true });
  const said = failureText(de, failureOf(status, body));
  expect(said).not.toBe(failureText(en, failureOf(status, body)));
  expect(said).not.toContain((body as { readonly detail: string }).detail);
});

test.each([passwordComplaint('short', 'ada'), passwordComplaint('ada-lovelace', 'Ada-Lovelace')])(
  'a password is complained of in German: %s',
  (text = '') => {
    expect(serverMessage(de, { text })).not.toBe(text);
  },
);

test.each([
  [{}, 'a.exe'],
  [{}, 'a.dbf'],
  [{}, 'a.shp'],
  [{ crs: 'nowhere' }, 'a.csv'],
])('an upload that is refused with %j and %s is complained of in German', (fields, name) => {
  const order = parseOrder(fields, [{ field: 'base_file', name, blob: 'x', size: 1 }]);
  const messages = !order.ok && order.error.kind === 'invalid' ? order.error.messages : [];
  expect(messages).not.toEqual([]);
  for (const text of messages) expect(serverMessage(de, { text })).not.toBe(text);
});
