// Calling a function of the database by hand, and the same as code.

import { useState } from 'react';
import { parseToWrite } from '../../lib/exact-json.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { ConsoleRequest } from '../../lib/snippets.ts';
import type { Routine } from '../../lib/swagger.ts';
import { Field } from '../../ui/Field.tsx';
import { Send } from './Send.tsx';

export function TryRoutine({ routine }: { readonly routine: Routine }) {
  const t = useText();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const given = routine.args.filter(({ name }) => (values[name] ?? '') !== '');
  const request: ConsoleRequest = {
    method: 'POST',
    url: `${window.location.origin}/rest/v1/rpc/${encodeURIComponent(routine.name)}`,
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(given.map(({ name }) => [name, jsonOr(values[name] ?? '')]))),
  };
  return (
    <section className="stack" aria-label={routine.name}>
      <div>
        <h2>{routine.name}()</h2>
        <p className="soft">{routine.about}</p>
      </div>
      <div className="console-form">
        {routine.args.map(({ name, type }) => (
          <Field key={name} label={name} hint={type}>
            {(wired) => (
              <input
                {...wired}
                className="input"
                value={values[name] ?? ''}
                onChange={(event) => setValues({ ...values, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      {routine.args.length === 0 && <p className="soft">{t('console.no-args')}</p>}
      <Send request={request} />
    </section>
  );
}

/** Numbers, lists and objects as such; whatever is no JSON is text. */
function jsonOr(text: string): unknown {
  try {
    return parseToWrite(text);
  } catch {
    return text;
  }
}
