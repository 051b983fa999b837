// Sentences of the portal → the same in the reader's language. The portal's errors have no codes (their shape is that of the API
// it stands in for), so they are known by their words; one that is not known is shown as it came. Pure.

import type { Failure, Said } from '../api/failure.ts';
import type { MessageKey } from './i18n/en.ts';
import type { Text } from './i18n/text.ts';

/** Named groups fill the text of the key. */
const SENTENCES: readonly (readonly [RegExp, MessageKey])[] = [
  [/^This field (?:is required|may not be (?:blank|null))\.$/, 'said.required'],
  [/^Ensure this field has no more than (?<n>\d+) characters\.$/, 'said.too-long'],
  [/^keyword "(?<name>.*)" is longer than (?<n>\d+) characters$/s, 'said.keyword-too-long'],
  [/^Ensure this field has between (?<least>\d+) and (?<most>\d+) characters\.$/, 'said.length'],
  [/^Ensure this value is greater than or equal to (?<n>\S+)\.$/, 'said.at-least'],
  [/^Ensure this value is less than or equal to (?<n>\S+)\.$/, 'said.at-most'],
  [
    /^Ensure this value is greater than(?: or equal to)? (?<least>\S+)\. Ensure this value is less than(?: or equal to)? (?<most>\S+)\.$/,
    'said.between',
  ],
  [/^Ensure this value is greater than (?<n>\S+)\.$/, 'said.above'],
  [/^Ensure this value is less than (?<n>\S+)\.$/, 'said.below'],
  [/^A feature with this value already exists\.$/, 'said.feature-taken'],
  [/^The value breaks the rule "(?<rule>.*)"\.$/s, 'said.rule'],
  [/^The value conflicts with that of another feature\.$/, 'said.conflicting'],
  [/^The line does not cut the shape in two\.$/, 'said.not-cut'],
  [/^The shapes do not touch: /, 'said.not-merged'],
  [/^A value does not fit: (?<said>.*)$/s, 'said.value-does-not-fit'],
  [/^A geometry cannot be used: (?<said>.*)$/s, 'said.bad-shape'],
  [/^A valid (?:integer|number) is required\.$/, 'said.number'],
  [/^Datetime has wrong format\./, 'said.date'],
  [/^Enter a valid email address\.$/, 'said.email'],
  [/^Enter a valid URL/, 'said.url'],
  [/^Enter a language code of three letters\.$/, 'said.language'],
  [/^A user with that username already exists\.$/, 'said.username-taken'],
  [/^Enter a valid username\./, 'said.username'],
  [/^group profile with this slug already exists\.$/, 'said.slug-taken'],
  [/^Enter a valid "slug"/, 'said.slug'],
  [/already exists[.!]$/, 'said.taken'],
  [/^The end (?:of the temporal extent is before its start|must not be before the start)\.$/, 'said.period'],
  [/^A link ends in the future\.$/, 'said.link-ends'],
  [/^An item has at most (?<n>\d+) links: end one of them first\.$/, 'said.too-many-links'],
  [/is not a valid choice/, 'said.choice'],
  [/^unknown region (?<name>.*)$/s, 'said.region'],
  [/^Invalid pk "(?<name>.*)" - .* object does not exist\.$/s, 'said.no-such'],
  [/^(?:Object does not exist\.|The specified '\w+' does not exist!)$/, 'said.gone'],
  [/^This value is not allowed here, or too long\.$/, 'said.value'],
  [/^(?:A value has the wrong type, or is out of range|The value is not allowed)\.$/, 'said.value'],
  [/^There is no account with this name\.$/, 'said.no-account'],
  [/^unknown user "(?<name>.*)"$/s, 'said.no-user'],
  [/^unknown group "(?<name>.*)"$/s, 'said.no-group'],
  [/^every account is a member of this group$/, 'said.everybody'],
  [/^The last administrator cannot be removed\.$/, 'said.last-admin'],
  [/^This passkey could not be used\. Try again\.$/, 'said.passkey'],
  [/^This code is wrong, or was used already\.$/, 'said.code'],
  [/^This took too long\. Sign in again\.$/, 'said.code-late'],
  [/^Invalid password\.$/, 'said.old-password'],
  [/^This password is wrong\.$/, 'said.password-wrong'],
  [/^Sign in again, then do this within ten minutes\.$/, 'said.not-fresh'],
  [/^This is the only way into your account\. /, 'said.only-way-in'],
  [/^The provider does not answer as it should\. /, 'account.problem.provider'],
  [/^This password is too short\. It must contain at least (?<n>\d+) characters\.$/, 'said.password-short'],
  [/^The password is too similar to the username\.$/, 'said.password-name'],
  [/^Request was throttled\. Expected available in (?<n>\d+) seconds?\.$/, 'said.throttled'],
  [/^CSRF Failed/, 'said.csrf'],
  [/^You do not have permission to perform this action\.$/, 'failure.refused.text'],
  [/^It has been changed in the meantime\.$/, 'said.changed'],
  [/^Something else still needs it\.$/, 'said.needed'],
  [/^The request is larger than the (?<bytes>\d+) bytes that are accepted here\.$/, 'said.too-large'],
  [/^There is no space left for the file\.$/, 'import-failure.no-space'],
  [/^Files of the type "(?<type>.*)" cannot be documents\.$/s, 'said.no-document'],
  [/^The content of the file is not what its name says/, 'said.not-as-named'],
  [/^(?:The submitted file is empty\.|Empty content)$/, 'said.empty-file'],
  [/^The picture cannot be read\.$/, 'said.picture'],
  [/^The import does not wait for an answer\.$/, 'said.not-asked'],
  [/^(?:crs: ".*" is not|A code like EPSG:4326 is required|There is no column "")/s, 'said.crs'],
  [/^There is no coordinate system (?<crs>\S+)\. A code like EPSG:4326 is required\.$/, 'said.no-crs'],
  [/^(?<crs>\S+) is no coordinate system of maps\./, 'said.no-map-crs'],
  [/^(?:There is|(?:group|across|of): there is) no column "(?<name>.*)"\.$/s, 'said.no-column'],
  [/^(?:of: \w+ needs a|bins: the|across: both) columns? (?:of|holds no|have to hold) numbers\.$/, 'said.no-numbers'],
  [/^unit: the column holds neither dates nor times\.$/, 'said.no-dates'],
  [/^The main file is missing/, 'said.no-main-file'],
  [/^(?<file>.*): files of the type "(?<type>.*)" cannot be imported\./s, 'said.no-import'],
  [/^Could not find (?<part>\w+) file, which is mandatory for shapefile uploads$/, 'said.no-part'],
  [/^a cell is too long: is a quote missing\?$/, 'said.cell'],
  [/^a quote that is opened here is never closed\.$/, 'said.quote'],
  [/^"(?<text>.*)" in the column "(?<name>.*)" is not a coordinate\.$/s, 'said.coordinate-in'],
  [/^"(?<text>.*)" is not a coordinate\.?$/s, 'said.coordinate'],
  [/^The layer is not there any more\.$/, 'said.layer-gone'],
  [/^The layer has no column "(?<name>.*)": remove it/s, 'said.column-strange'],
  [/^Service temporarily unavailable/, 'said.unavailable'],
  [/^A server error occurred\.$/, 'failure.server.text'],
  [/^(?:The body ended too soon|JSON parse error|Multipart form parse error)/, 'said.cut-off'],
];

/** SQLSTATEs that the REST service hands on. */
const CODES: ReadonlyMap<string, MessageKey> = new Map([
  ['22P02', 'said.value'],
  ['22007', 'said.date'],
  ['22008', 'said.date'],
  ['22003', 'said.value'],
  ['57014', 'said.slow'],
]);

/** Fields as the forms call them. */
const FIELDS: ReadonlyMap<string, MessageKey> = new Map([
  ['title', 'meta.title'],
  ['layer_title', 'meta.title'],
  ['abstract', 'meta.abstract'],
  ['description', 'meta.abstract'],
  ['purpose', 'meta.purpose'],
  ['supplemental_information', 'meta.supplemental'],
  ['data_quality_statement', 'meta.quality'],
  ['category', 'meta.category'],
  ['keywords', 'meta.keywords'],
  ['regions', 'meta.regions'],
  ['license', 'meta.license'],
  ['attribution', 'meta.attribution'],
  ['edition', 'meta.edition'],
  ['doi', 'meta.doi'],
  ['language', 'meta.language'],
  ['date', 'meta.date'],
  ['date_type', 'meta.date-type'],
  ['temporal_extent_start', 'meta.period-start'],
  ['temporal_extent_end', 'meta.period-end'],
  ['crs', 'meta.crs'],
  ['x', 'add.column-x'],
  ['y', 'add.column-y'],
  ['username', 'account.username'],
  ['first_name', 'account.first-name'],
  ['last_name', 'account.last-name'],
  ['email', 'account.email'],
  ['password', 'account.password'],
  ['old_password', 'account.old-password'],
  ['slug', 'admin.slug'],
  ['access', 'admin.access'],
]);

/** Fields that no form shows: a sentence about them stands alone. */
const UNSHOWN: ReadonlySet<string> = new Set([
  'doc_file',
  'users',
  'groups',
  'name',
  'code',
  'response',
  'non_field_errors',
]);

export function serverMessage(t: Text, { text, code }: Said): string {
  const byCode = code === undefined ? undefined : CODES.get(code);
  if (byCode !== undefined) return t(byCode);
  for (const [pattern, key] of SENTENCES) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const { bytes, ...values } = found.groups ?? {};
    return t(key, bytes === undefined ? values : { ...values, size: sizeText(t, Number(bytes)) });
  }
  return text;
}

/** A sentence below its own field needs not name it. */
export function fieldMessage(t: Text, said: readonly Said[]): string | undefined {
  return said.length === 0 ? undefined : said.map((one) => serverMessage(t, one)).join(' ');
}

export function failureText(t: Text, failure: Failure): string {
  const said = 'said' in failure ? failure.said : [];
  if (said.length === 0) return t(`failure.${failure.kind}.text`);
  return said
    .map((one) => {
      const message = serverMessage(t, one);
      if (one.field === undefined || UNSHOWN.has(one.field)) return message;
      const label = FIELDS.get(one.field);
      return `${label === undefined ? one.field : t(label)}: ${message}`;
    })
    .join(' ');
}

export function sizeText(t: Text, bytes: number): string {
  const unit = bytes >= 1024 ** 3 ? (['GB', 1024 ** 3] as const) : (['MB', 1024 ** 2] as const);
  return `${t.number(bytes / unit[1], { maximumFractionDigits: 1 })} ${unit[0]}`;
}
