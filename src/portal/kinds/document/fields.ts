// Documents: files, or addresses of files elsewhere.

import { raw, sql } from '../../../sql/index.ts';
import { BASE, type BoundValue, type Sql } from '../../fields/bound-value.ts';
import { makeRecordType, type RecordType } from '../../fields/field.ts';
import { computed, shownColumn, writeOnly, writtenColumn } from '../../fields/field-makers.ts';
import { RESOURCE } from '../../fields/lookup.ts';
import { commonFields, headFields, stamped } from '../item/common-fields.ts';
import { DOC_TYPES } from '../item/doc-types.ts';

/** The file's row is only there for who may download it. */
const href = (row: string): Sql =>
  sql<BoundValue>`coalesce(${raw(`${row}.doc_url`)}, (select ${BASE} || '/documents/' || f.resource_id || '/download' from portal.document_file f where f.resource_id = ${raw(`${row}.id`)}))`;

export const document: RecordType = makeRecordType('document', 'documents', [
  ...headFields,
  ...stamped([
    computed(
      'name',
      { kind: 'text' },
      'Title, or id where there is none.',
      (row) => raw(`coalesce(nullif(${row}.title, ''), ${row}.id::text)`),
      {
        value: (row) => raw(`${row}.title`),
      },
    ),
    computed(
      'href',
      { kind: 'text', format: 'uri' },
      'Where to get it: the address elsewhere, or of the download. Null for who may not download it.',
      href,
      { nullable: true },
    ),
    writtenColumn('doc_type', { kind: 'choice', choices: DOC_TYPES }, 'Kind of document; follows from the file.', {
      nullable: true,
    }),
    writtenColumn(
      'extension',
      {
        kind: 'text',
        max: 128,
        pattern: { regex: /^[A-Za-z0-9]{1,128}$/, complaint: 'Enter the ending of a file name without its dot.' },
      },
      'Ending of the file’s name; follows from the file.',
      { nullable: true },
    ),
    shownColumn('mime_type', { kind: 'text', max: 255 }, 'Media type, by the content of the file.', { nullable: true }),
    writeOnly(
      'doc_url',
      {
        kind: 'text',
        max: 2048,
        format: 'uri',
        pattern: { regex: /^https?:\/\/[^\s/?#]\S*$/i, complaint: 'Enter a valid URL.' },
      },
      'Address of a document elsewhere, instead of a file.',
      { kind: 'column', column: 'doc_url', cast: 'text' },
      { nullable: true },
    ),
    writeOnly(
      'linked_resources',
      { kind: 'words' },
      'Ids of the items that the document belongs to; read them at `linked_resources/`.',
      {
        kind: 'references',
        to: RESOURCE,
        setter: {
          when: 'middle',
          statements: (id, ids) => [
            sql<BoundValue>`delete from portal.document_link l where l.document_id = ${id} and l.resource_id <> all (${ids}::integer[])`,
            sql<BoundValue>`insert into portal.document_link (document_id, resource_id) select ${id}, n.id from unnest(${ids}::integer[]) n(id) on conflict do nothing`,
          ],
        },
      },
    ),
  ]),
  ...commonFields,
]);
