// The request body, checked but not rebuilt: what goes to PostgreSQL are the bytes that came. In: the bytes, their media
// type, what is asked. Out: the payload, or what is wrong with it.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { Action } from './action.ts';
import { csvToJson } from './csv-to-json.ts';
import { parseFormFields } from './form-decoding.ts';
import { DEEPEST_JSON, scanJson } from './json-scan.ts';
import { LIMITS } from './limits.ts';
import { linesToJson } from './lines-to-json.ts';
import { type MediaType, mediaTypeName } from './media-type.ts';
import type { BodyProblem, RequestError } from './request-error.ts';
import { readUniformRows, type UniformRows } from './uniform-rows.ts';

export type Payload =
  /** JSON object(s). `keys`: of the first object, in order; undefined when `columns` made a look inside needless. */
  | {
      readonly kind: 'json';
      readonly bytes: Uint8Array;
      readonly isArray: boolean;
      readonly keys?: readonly string[];
      /** Its rows as COPY reads them, where they are many and written alike. */
      readonly alike?: UniformRows;
      /** A merge patch: how deep the objects of each key are, which keys are increments, whether rows have different keys. */
      readonly merge?: {
        readonly depths: readonly (readonly [key: string, depth: number])[];
        readonly increments: readonly string[];
        readonly partial: boolean;
      };
      /** Rows that hold rows of relations which `select` embeds. */
      readonly nested?: NestedKeys;
      /** The rows came as CSV: the bytes are ours, and no function takes them whole. */
      readonly fromCsv?: true;
    }
  /** Form fields: one row of text, or function arguments; repeated names stay repeated. */
  | { readonly kind: 'form'; readonly fields: readonly (readonly [name: string, value: string])[] }
  /** A JSON patch. `paths`: into the column, as array literals, by operation. */
  | {
      readonly kind: 'json-patch';
      readonly bytes: Uint8Array;
      readonly operations: readonly {
        readonly op: 'add' | 'remove' | 'replace' | 'test';
        readonly column: string;
        /** Length of its path. */
        readonly steps: number;
        /** Steps before the last, from 0, that look like an index of a list and are none. */
        readonly odd?: readonly number[];
      }[];
      readonly paths: readonly string[];
    }
  /** For the single unnamed parameter of a function. */
  | { readonly kind: 'raw'; readonly bytes: Uint8Array; readonly as: 'text' | 'xml' | 'bytea' };

/** The keys of one level of rows. */
export type NestedKeys = {
  readonly keys: readonly string[];
  /** Those that some rows lack. */
  readonly partial: readonly string[];
  readonly children: readonly {
    readonly name: string;
    /** How `select` embeds it. */
    readonly target: string;
    readonly hint: string | undefined;
    readonly isList: boolean;
    readonly inside: NestedKeys;
  }[];
};

export type PayloadUse = {
  readonly action: Action;
  /** The `columns` parameter. */
  readonly columns: readonly string[] | undefined;
};

const EMPTY_ARRAY: Uint8Array = Buffer.from('[]');
const EMPTY_OBJECT: Uint8Array = Buffer.from('{}');
const OPEN_OBJECT = 0x7b;

/** Whether the action has a body at all; those of the others are ignored. */
export function takesPayload(action: Action): boolean {
  switch (action.kind) {
    case 'insert':
    case 'update':
    case 'upsert-one':
      return true;
    case 'call':
      return action.by === 'post';
    default:
      return false;
  }
}

export function parsePayload(
  bytes: Uint8Array,
  contentType: MediaType,
  use: PayloadUse,
): Result<Payload, RequestError> {
  const forRoutine = use.action.kind === 'call';
  switch (contentType.kind) {
    case 'json':
      return jsonPayload(bytes, use, forRoutine);
    case 'csv': {
      const rows = csvToJson(bytes);
      if (!rows.ok) return invalid(rows.error);
      return ok({ kind: 'json', ...rows.value, isArray: true, ...uniformRows(rows.value.bytes, use), fromCsv: true });
    }
    case 'ndjson': {
      const rows = linesToJson(bytes);
      return rows.ok ? jsonPayload(rows.value, use, forRoutine) : invalid(rows.error);
    }
    case 'form': {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
      const fields = parseFormFields(text);
      if (fields.length > LIMITS.formFields.most) return err({ kind: 'too-many', limit: 'formFields' });
      if (!forRoutine && fields.length > LIMITS.bodyKeys.most)
        return invalid({ kind: 'too-many-keys', limit: LIMITS.bodyKeys.most });
      return ok({ kind: 'form', fields });
    }
    case 'text':
    case 'xml':
      if (forRoutine) return ok({ kind: 'raw', bytes, as: contentType.kind });
      break;
    case 'octets':
      if (forRoutine) return ok({ kind: 'raw', bytes, as: 'bytea' });
      break;
  }
  return err({ kind: 'content-type-unsupported', contentType: mediaTypeName(contentType) });
}

function jsonPayload(bytes: Uint8Array, use: PayloadUse, forRoutine: boolean): Result<Payload, RequestError> {
  // A call without a body is a call without arguments; a row has to be given.
  const text = bytes.length === 0 && forRoutine ? EMPTY_OBJECT : bytes;
  const { alike } = uniformRows(text, use);
  if (alike !== undefined) {
    const keys = use.columns === undefined ? { keys: alike.keys } : {};
    return ok({ kind: 'json', bytes: text, isArray: true, ...keys, alike });
  }
  const scan = scanJson(text);
  // The keys are given already. PostgreSQL sees to the rest, but for a depth that would exhaust it.
  if (use.columns !== undefined && use.action.kind !== 'upsert-one' && scan.kind !== 'too-deep') {
    return ok({ kind: 'json', bytes: text, isArray: firstByte(text) !== OPEN_OBJECT });
  }
  switch (scan.kind) {
    case 'object':
    case 'array':
      // A function may take the whole body, whatever keys it has; as names of arguments they fit none.
      if (scan.tooManyKeys && !forRoutine) return invalid({ kind: 'too-many-keys', limit: LIMITS.bodyKeys.most });
      return ok({ kind: 'json', bytes: text, isArray: scan.kind === 'array', keys: scan.keys });
    case 'scalar':
      // No row and no argument; but a function may take the whole body as its one unnamed parameter.
      return ok({ kind: 'json', bytes: forRoutine ? text : EMPTY_ARRAY, isArray: !forRoutine, keys: [] });
    case 'too-deep':
      return invalid({ kind: 'json-too-deep', limit: DEEPEST_JSON });
    case 'keys-differ':
      return invalid({ kind: 'keys-differ' });
    case 'invalid':
      return invalid({ kind: 'json-invalid' });
  }
}

function uniformRows(bytes: Uint8Array, { action }: PayloadUse): { readonly alike?: UniformRows } {
  const alike = action.kind === 'insert' ? readUniformRows(bytes) : undefined;
  return alike === undefined ? {} : { alike };
}

function firstByte(bytes: Uint8Array): number | undefined {
  return bytes.find((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
}

function invalid(problem: BodyProblem): Result<never, RequestError> {
  return err({ kind: 'body-invalid', problem });
}
