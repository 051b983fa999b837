// Rows that are read and written one by one, wherever they live: features of a layer by OGC API Features, rows of a plain table by the REST
// service. A row is written only as it was read: who was slower is told.

import type { EditFeature, StoredFeature, Trouble } from '../lib/edit/edit-session.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { readFeature, writeFeature } from './edit-features.ts';
import { type Failure, failureOf } from './failure.ts';
import { bearer, restName, rowsIn } from './rest.ts';

export type RowStore = {
  read(id: string | number): Promise<Result<StoredFeature, Failure>>;
  /** Undefined: it is written. */
  write(feature: EditFeature): Promise<Trouble | undefined>;
};

export function featureStore(layer: string): RowStore {
  return { read: (id) => readFeature(layer, id), write: (feature) => writeFeature(layer, feature) };
}

export type Row = Readonly<Record<string, unknown>>;

/** A store that rows are added to by their values alone. */
export type TableStore = RowStore & {
  /** The row as the table has it, with what the database filled in. */
  add(values: Row): Promise<Result<Row, Failure>>;
};

/** Rows of a table without places. A change says what the columns held before; where they hold something else by now, nothing is written. */
export function tableStore(table: string, key: string): TableStore {
  const ask = async (method: string, query: URLSearchParams, body?: Row): Promise<Result<readonly Row[], Failure>> => {
    const token = await bearer(true);
    try {
      const reply = await fetch(`/rest/v1/${encodeURIComponent(table)}?${query}`, {
        method,
        headers: {
          Accept: 'application/json',
          Prefer: 'return=representation',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const answer = rowsIn(await reply.text().catch(() => ''));
      if (!reply.ok) return err(failureOf(reply.status, answer));
      return ok(Array.isArray(answer) ? (answer as readonly Row[]) : []);
    } catch {
      return err({ kind: 'offline' });
    }
  };
  const named = (id: string | number): URLSearchParams => new URLSearchParams([[restName(key), `eq.${id}`]]);
  const read: RowStore['read'] = async (id) => {
    const found = await ask('GET', named(id));
    if (!found.ok) return found;
    const [row] = found.value;
    if (row === undefined) return err({ kind: 'not-found' });
    return ok({ id, tag: '', geometry: null, properties: row });
  };
  const add: TableStore['add'] = async (values) => {
    const made = await ask('POST', new URLSearchParams(), values);
    return made.ok ? ok(made.value[0] ?? values) : made;
  };
  return {
    read,
    add,
    async write({ stored, changes, isDeleted }) {
      if (stored === undefined) {
        const made = await add(changes);
        return made.ok ? undefined : { kind: 'failed', failure: made.error };
      }
      const query = named(stored.id);
      for (const name of Object.keys(changes)) query.append(...asBefore(name, stored.properties[name]));
      const written = await ask(isDeleted ? 'DELETE' : 'PATCH', query, isDeleted ? undefined : changes);
      if (!written.ok) return { kind: 'failed', failure: written.error };
      if (written.value.length > 0) return undefined;
      const theirs = await read(stored.id);
      return { kind: 'conflict', theirs: theirs.ok ? theirs.value : undefined };
    },
  };
}

/** The condition that a column still holds what it held. */
function asBefore(name: string, value: unknown): [string, string] {
  if (value === null || value === undefined) return [restName(name), 'is.null'];
  return [restName(name), `eq.${typeof value === 'object' ? JSON.stringify(value) : String(value)}`];
}
