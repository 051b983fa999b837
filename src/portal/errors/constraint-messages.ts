// Constraints of the catalogue → the field and the sentence a client sees. Routes check their fields before; the database is
// the last to look, and what it refuses should read like any other mistake in a field.

import type { SqlError } from '../../pg/driver.ts';
import type { FieldMessages } from './portal-error.ts';

const noLongerThan = (limit: number): string => `Ensure this field has no more than ${limit} characters.`;
const NO_CHOICE = 'This is not a valid choice.';

/** Of a document with neither file nor address. */
export const NOWHERE =
  'A document needs its content: send a file as doc_file in a multipart form, or an address as doc_url.';

/** Those that have a better sentence than their kind. */
const KNOWN: ReadonlyMap<string, readonly [field: string, message: string]> = new Map([
  ['account_username', ['username', 'A user with that username already exists.']],
  [
    'account_username_check',
    [
      'username',
      'Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters, 150 at most.',
    ],
  ],
  ['account_first_name_check', ['first_name', noLongerThan(30)]],
  ['account_last_name_check', ['last_name', noLongerThan(150)]],
  ['account_detail_email_key', ['email', 'Another account has this mail address.']],
  ['account_detail_email_check', ['email', noLongerThan(254)]],
  ['user_group_slug_key', ['slug', 'group profile with this slug already exists.']],
  [
    'user_group_slug_check',
    ['slug', 'Enter a valid "slug" consisting of letters, numbers, underscores or hyphens, 50 at most.'],
  ],
  ['user_group_title_check', ['title', 'Ensure this field has between 1 and 1000 characters.']],
  ['user_group_access_check', ['access', NO_CHOICE]],
  ['resource_title_check', ['title', 'Ensure this field has between 1 and 255 characters.']],
  ['resource_date_type_check', ['date_type', NO_CHOICE]],
  ['resource_maintenance_frequency_check', ['maintenance_frequency', NO_CHOICE]],
  ['resource_srid_known', ['srid', 'There is no such coordinate system. Enter a code like EPSG:4326.']],
  ['document_is_somewhere', ['doc_url', NOWHERE]],
  ['resource_alternate', ['name', 'A layer of this name already exists.']],
  ['resource_check', ['temporal_extent_end', 'The end must not be before the start.']],
  ['resource_check1', ['non_field_errors', 'A map needs zoom, projection, center_x and center_y.']],
  ['resource_check2', ['non_field_errors', 'A layer needs a name.']],
  ['resource_check3', ['non_field_errors', 'An app needs a name and a type.']],
  ['keyword_name', ['keywords', 'keyword with this name already exists.']],
  ['style_workspace_name_key', ['name', 'style with this name already exists.']],
  ['remote_service_url_of_owner', ['url', 'You have registered this service already.']],
  ['attribute_resource_id_attribute_key', ['attribute', 'attribute with this name already exists.']],
]);

/** As PostgreSQL names them: table, column, kind. The longest table name that fits comes first. */
const NAMED_BY_RULE =
  /^(account_detail|account|app_data|attribute|category|document_file|document_link|favourite|group_category|group_in_category|group_keyword|group_member|keyword|layer_style|license|link|map_layer|raster|region|resource_keyword|resource_region|resource|restriction_code_type|spatial_representation_type|style|thumbnail|upload_file|upload_layer|upload|user_group)_(.+)_(check|key|fkey)$/;

/** Which constraint refused it; functions of ours that check like one begin their sentence with a name. */
export function constraintOf({ about, message }: SqlError): string | undefined {
  return about?.constraint ?? /^([a-z0-9_]+): /.exec(message)?.[1];
}

/** Undefined: it is none of ours that a client could do something about. */
export function constraintMessages(constraint: string): FieldMessages | undefined {
  const known = KNOWN.get(constraint);
  if (known !== undefined) return { [known[0]]: [known[1]] };
  const [, table, column, kind] = NAMED_BY_RULE.exec(constraint) ?? [];
  if (table === undefined || column === undefined) return undefined;
  switch (kind) {
    case 'fkey':
      return { [column.replace(/_id$/, '')]: ['Object does not exist.'] };
    case 'key':
      return { [column]: [`${table.replaceAll('_', ' ')} with this ${column.replaceAll('_', ' ')} already exists.`] };
    default:
      return { [column]: ['This value is not allowed here, or too long.'] };
  }
}
