// The values of an attribute, as many as are needed to make classes of them. Undefined: they are on their way.

import { useEffect, useState } from 'react';
import { restName, restRows } from '../../../api/rest.ts';
import { useSession } from '../../../lib/session.ts';
import type { ViewerLayer } from '../viewer-state.ts';

const SAMPLE = 5000;

export function useValues(one: ViewerLayer, attribute: string): readonly unknown[] | undefined {
  const { user } = useSession();
  const [values, setValues] = useState<{ readonly of: string; readonly values: readonly unknown[] }>();
  const table = one.layer.name;
  useEffect(() => {
    if (user === undefined || attribute === '') return;
    const gone = new AbortController();
    restRows(
      `${encodeURIComponent(table)}?select=value:${encodeURIComponent(restName(attribute))}&limit=${SAMPLE}`,
      user !== null,
      gone.signal,
    ).then(
      (reply) => setValues({ of: attribute, values: reply.ok ? reply.value.rows.map((row) => row['value']) : [] }),
      () => undefined,
    );
    return () => gone.abort();
  }, [table, attribute, user]);
  return values?.of === attribute ? values.values : undefined;
}
