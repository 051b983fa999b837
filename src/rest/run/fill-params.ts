// The request's values at last: binds of a statement in, parameters out.

import { assertNever } from '../../kernel/assert-never.ts';
import type { Param, Row } from '../../pg/driver.ts';
import type { TextValue } from '../plan/plan.ts';
import type { Bind } from '../query/bind.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { arrayLiteral } from '../request/array-literal.ts';

/** `outputs`: the row that CALL brought. `keys`: of a live stream. */
export function fillParams(binds: readonly Bind[], request: ApiRequest, outputs?: Row, keys = '[]'): readonly Param[] {
  const params: Param[] = new Array(binds.length);
  for (let i = 0; i < binds.length; i++) {
    const bind = binds[i];
    params[i] = bind === undefined ? null : bind.kind === 'keys' ? keys : paramOf(bind, request, outputs);
  }
  return params;
}

function paramOf(bind: Exclude<Bind, { kind: 'keys' }>, request: ApiRequest, outputs: Row | undefined): Param {
  switch (bind.kind) {
    case 'slot':
      return request.values[bind.slot] ?? null;
    case 'offset':
      return String(request.window.offset);
    case 'body':
      return bodyOf(request);
    case 'bytes':
      return { binary: bodyOf(request) };
    case 'patch-path':
      return request.payload?.kind === 'json-patch' ? (request.payload.paths[bind.index] ?? '{}') : '{}';
    case 'form':
      return formValue(request, bind.index);
    case 'form-json':
      return formJson(request);
    case 'output':
      return outputs?.[bind.index] ?? null;
    case 'array':
      return arrayLiteral(bind.values.map((value) => textOf(value, request)));
    default:
      return assertNever(bind);
  }
}

const NOTHING = new Uint8Array();

function bodyOf({ payload }: ApiRequest): Uint8Array {
  return payload === undefined || payload.kind === 'form' ? NOTHING : payload.bytes;
}

function formValue({ payload }: ApiRequest, index: number): string {
  return payload?.kind === 'form' ? (payload.fields[index]?.[1] ?? '') : '';
}

/** One row; of a repeated field the last value counts. */
function formJson({ payload }: ApiRequest): string {
  const fields = new Map(payload?.kind === 'form' ? payload.fields : []);
  return `{${[...fields].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
}

function textOf(value: TextValue, request: ApiRequest): string {
  return value.from === 'query' ? (request.values[value.slot] ?? '') : formValue(request, value.index);
}
