// The schema of a layer → the fields of its attribute form: what each asks for, what it takes, and what is wrong with an answer. The
// same for a new feature, for one and for several at once. Pure.

import { parseToWrite } from '../exact-json.ts';
import type { ColumnKind } from '../feature-schema.ts';

type FormChoice = { readonly value: string | number; readonly label: string };

export type FormField = {
  readonly name: string;
  readonly title: string;
  readonly hint: string | undefined;
  readonly kind: ColumnKind;
  readonly isWhole: boolean;
  readonly isRequired: boolean;
  readonly isReadOnly: boolean;
  readonly choices: readonly FormChoice[] | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** The ends themselves are not allowed. */
  readonly isMinimumOpen: boolean;
  readonly isMaximumOpen: boolean;
  readonly step: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
};

/** How features of a layer are, as far as an editor has to know. */
export type FeatureForm = {
  readonly key: string | undefined;
  readonly geometryColumn: string | undefined;
  /** `point`, `multipolygon` … `any`. */
  readonly geometryType: string;
  readonly fields: readonly FormField[];
};

type About = Readonly<Record<string, unknown>>;

const isAbout = (value: unknown): value is About =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function featureForm(schema: unknown): FeatureForm {
  const about = isAbout(schema) ? schema : {};
  const properties = isAbout(about['properties']) ? about['properties'] : {};
  const required: readonly unknown[] = Array.isArray(about['required']) ? about['required'] : [];
  const entries = Object.entries(properties).flatMap(([name, one]) => (isAbout(one) ? [[name, one] as const] : []));
  const shape = entries.find(([, one]) => one['x-ogc-role'] === 'primary-geometry');
  const format = shape?.[1]['format'];
  return {
    key: entries.find(([, one]) => one['x-ogc-role'] === 'id')?.[0],
    geometryColumn: shape?.[0],
    geometryType: typeof format === 'string' ? format.replace(/^geometry-/, '') : 'any',
    fields: entries
      .filter(([, one]) => one['x-ogc-role'] !== 'id' && one['x-ogc-role'] !== 'primary-geometry')
      .map(([name, one]) => fieldOf(name, one, required.includes(name))),
  };
}

function fieldOf(name: string, about: About, isRequired: boolean): FormField {
  const number = (key: string): number | undefined => (typeof about[key] === 'number' ? about[key] : undefined);
  const text = (key: string): string | undefined => (typeof about[key] === 'string' ? about[key] : undefined);
  const [least, most] = [number('exclusiveMinimum'), number('exclusiveMaximum')];
  return {
    name,
    title: text('title') ?? name,
    hint: text('description'),
    kind: kindOf(about),
    isWhole: about['type'] === 'integer',
    isRequired,
    isReadOnly: about['readOnly'] === true,
    choices: choicesOf(about),
    minimum: least ?? number('minimum'),
    maximum: most ?? number('maximum'),
    isMinimumOpen: least !== undefined,
    isMaximumOpen: most !== undefined,
    step: number('multipleOf'),
    minLength: number('minLength'),
    maxLength: number('maxLength'),
  };
}

function kindOf({ type, format }: About): ColumnKind {
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type !== 'string') return 'json';
  if (format === 'date') return 'date';
  if (format === 'date-time') return 'time';
  return format === 'uuid' ? 'uuid' : 'text';
}

function choicesOf(about: About): readonly FormChoice[] | undefined {
  const isValue = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';
  const { enum: values, oneOf } = about;
  if (Array.isArray(values)) return values.filter(isValue).map((value) => ({ value, label: String(value) }));
  if (!Array.isArray(oneOf)) return undefined;
  return (oneOf as readonly unknown[]).flatMap((one) => {
    if (!isAbout(one) || !isValue(one['const'])) return [];
    const title = one['title'];
    return [{ value: one['const'], label: typeof title === 'string' ? title : String(one['const']) }];
  });
}

export type FieldFault =
  | { readonly kind: 'required' | 'number' | 'whole' | 'date' | 'json' | 'uuid' }
  | { readonly kind: 'at-least' | 'at-most' | 'above' | 'below' | 'too-long' | 'too-short'; readonly n: number };

/** A value as it stands in a control. */
export function inputText(value: unknown, { kind }: Pick<FormField, 'kind'>): string {
  if (value === null || value === undefined) return '';
  if (kind === 'json' || typeof value === 'object') return JSON.stringify(value);
  // A control for moments has no zone: what it shows is the time of the reader's own place.
  if (kind === 'time') return localTime(String(value));
  return String(value);
}

function localTime(text: string): string {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return text;
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, moment.getUTCSeconds() === 0 ? 16 : 19);
}

/** What was typed → the value that is written: empty is none, but for texts that have to be there. */
export function fieldValue(
  text: string,
  field: FormField,
): { readonly value: unknown } | { readonly fault: FieldFault } {
  const { kind, choices, isRequired } = field;
  if (text === '' && !(isRequired && kind === 'text' && choices === undefined))
    return isRequired ? { fault: { kind: 'required' } } : { value: null };
  if (choices !== undefined) return { value: choices.find(({ value }) => String(value) === text)?.value ?? text };
  switch (kind) {
    case 'number':
      return numberOf(text.trim(), field);
    case 'boolean':
      return { value: text === 'true' };
    case 'json':
      try {
        return { value: parseToWrite(text) };
      } catch {
        return { fault: { kind: 'json' } };
      }
    case 'time': {
      const moment = new Date(text);
      return Number.isNaN(moment.getTime()) ? { fault: { kind: 'date' } } : { value: moment.toISOString() };
    }
    case 'date':
      return /^-?\d{4,6}-\d\d-\d\d$/.test(text) ? { value: text } : { fault: { kind: 'date' } };
    case 'uuid':
      return /^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(text)
        ? { value: text }
        : { fault: { kind: 'uuid' } };
    case 'text':
      return textOf(text, field);
  }
}

function numberOf(text: string, field: FormField): ReturnType<typeof fieldValue> {
  const value = Number(text.replace(/^(-?\d+),(\d+)$/, '$1.$2'));
  if (text === '' || !Number.isFinite(value)) return { fault: { kind: 'number' } };
  if (field.isWhole && !Number.isInteger(value)) return { fault: { kind: 'whole' } };
  const { minimum, maximum } = field;
  if (minimum !== undefined && (field.isMinimumOpen ? value <= minimum : value < minimum))
    return { fault: { kind: field.isMinimumOpen ? 'above' : 'at-least', n: minimum } };
  if (maximum !== undefined && (field.isMaximumOpen ? value >= maximum : value > maximum))
    return { fault: { kind: field.isMaximumOpen ? 'below' : 'at-most', n: maximum } };
  // A number with more digits than this machine's has is written as it was typed.
  return { value: field.isWhole && !Number.isSafeInteger(value) ? text : value };
}

function textOf(text: string, { maxLength, minLength }: FormField): ReturnType<typeof fieldValue> {
  const length = [...text].length;
  if (maxLength !== undefined && length > maxLength) return { fault: { kind: 'too-long', n: maxLength } };
  if (minLength !== undefined && length < minLength) return { fault: { kind: 'too-short', n: minLength } };
  return { value: text };
}
