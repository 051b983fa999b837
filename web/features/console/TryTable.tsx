// Reading and writing the rows of a table by hand, and the same as code.

import { useState } from 'react';
import { restName } from '../../api/rest.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { ConsoleRequest } from '../../lib/snippets.ts';
import type { Table } from '../../lib/swagger.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Send } from './Send.tsx';

const OPERATORS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'in', 'is'] as const;
type Condition = { readonly id: number; readonly column: string; readonly operator: string; readonly value: string };
type Method = ConsoleRequest['method'];

export function TryTable({ table }: { readonly table: Table }) {
  const t = useText();
  const [method, setMethod] = useState<Method>('GET');
  const [select, setSelect] = useState<readonly string[]>([]);
  const [conditions, setConditions] = useState<readonly Condition[]>([]);
  const [order, setOrder] = useState('');
  const [limit, setLimit] = useState('10');
  const [accept, setAccept] = useState('application/json');
  const [body, setBody] = useState('{\n}');
  const params = new URLSearchParams();
  if (select.length > 0) params.set('select', select.map(restName).join(','));
  for (const { column, operator, value } of conditions)
    if (value !== '') params.append(restName(column), `${operator}.${operator === 'in' ? `(${value})` : value}`);
  if (order !== '')
    params.set('order', `${restName(order.split(' ')[0] ?? '')}.${order.endsWith(' desc') ? 'desc' : 'asc'}`);
  if (method === 'GET' && /^\d+$/.test(limit)) params.set('limit', limit);
  // Readable in the address: these mean nothing else there.
  const query = params
    .toString()
    .replaceAll('%2C', ',')
    .replaceAll('%28', '(')
    .replaceAll('%29', ')')
    .replaceAll('%3A', ':');
  const hasBody = method === 'POST' || method === 'PATCH';
  const request: ConsoleRequest = {
    method,
    url: `${window.location.origin}/rest/v1/${encodeURIComponent(table.name)}${query === '' ? '' : `?${query}`}`,
    headers: {
      Accept: accept,
      ...(hasBody ? { 'Content-Type': 'application/json', Prefer: 'return=representation' } : {}),
    },
    body: hasBody ? body : '',
  };
  // A filter without a value is none.
  const isUnfiltered = (method === 'PATCH' || method === 'DELETE') && conditions.every(({ value }) => value === '');
  const change = (id: number, to: Partial<Condition>): void =>
    setConditions(conditions.map((one) => (one.id === id ? { ...one, ...to } : one)));
  const methods = (['GET', 'POST', 'PATCH', 'DELETE'] as const).filter((name) => table.methods.includes(name));
  return (
    <section className="stack" aria-label={table.name}>
      <div>
        <h2>{table.name}</h2>
        <p className="soft">{table.about}</p>
      </div>
      <div className="console-form">
        <Field label={t('console.method')}>
          {(wired) => (
            <select
              {...wired}
              className="input"
              value={method}
              onChange={(event) => setMethod(methods.find((name) => name === event.target.value) ?? 'GET')}
            >
              {methods.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t('console.order')}>
          {(wired) => (
            <select {...wired} className="input" value={order} onChange={(event) => setOrder(event.target.value)}>
              <option value="">{t('meta.none')}</option>
              {table.columns.flatMap(({ name }) => [
                <option key={name} value={name}>
                  {name} ↑
                </option>,
                <option key={`${name} desc`} value={`${name} desc`}>
                  {name} ↓
                </option>,
              ])}
            </select>
          )}
        </Field>
        <Field label={t('console.limit')}>
          {(wired) => (
            <input
              {...wired}
              className="input"
              inputMode="numeric"
              value={limit}
              onChange={(event) => setLimit(event.target.value)}
            />
          )}
        </Field>
        <Field label={t('console.format')}>
          {(wired) => (
            <select {...wired} className="input" value={accept} onChange={(event) => setAccept(event.target.value)}>
              <option value="application/json">JSON</option>
              <option value="application/geo+json">GeoJSON</option>
              <option value="text/csv">CSV</option>
            </select>
          )}
        </Field>
      </div>
      <fieldset className="column-picks">
        <legend>{t('console.columns')}</legend>
        {table.columns.map(({ name, type }) => (
          <label className="check" key={name}>
            <input
              type="checkbox"
              checked={select.includes(name)}
              onChange={(event) =>
                setSelect(event.target.checked ? [...select, name] : select.filter((one) => one !== name))
              }
            />
            {name} <span className="soft small-text">{type}</span>
          </label>
        ))}
      </fieldset>
      <fieldset className="column-picks stack tight">
        <legend>{t('console.filters')}</legend>
        {conditions.map(({ id, column, operator, value }) => (
          <div className="row tight" key={id}>
            <select
              className="input small"
              aria-label={t('table.column')}
              value={column}
              onChange={(event) => change(id, { column: event.target.value })}
            >
              {table.columns.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
            <select
              className="input small"
              aria-label={t('table.operator')}
              value={operator}
              onChange={(event) => change(id, { operator: event.target.value })}
            >
              {OPERATORS.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
            <input
              className="input small"
              aria-label={t('table.value')}
              value={value}
              onChange={(event) => change(id, { value: event.target.value })}
            />
            <IconButton
              small
              icon="close"
              name={t('action.remove')}
              onClick={() => setConditions(conditions.filter((one) => one.id !== id))}
            />
          </div>
        ))}
        <div>
          <Button
            small
            icon="plus"
            onClick={() =>
              setConditions([
                ...conditions,
                {
                  id: Math.max(0, ...conditions.map(({ id }) => id)) + 1,
                  column: table.columns[0]?.name ?? '',
                  operator: 'eq',
                  value: '',
                },
              ])
            }
          >
            {t('console.add-filter')}
          </Button>
        </div>
      </fieldset>
      {hasBody && (
        <Field label={t('console.body')}>
          {(wired) => (
            <textarea
              {...wired}
              className="input code-input"
              rows={6}
              spellCheck={false}
              value={body}
              onChange={(event) => setBody(event.target.value)}
            />
          )}
        </Field>
      )}
      <Send request={request} all={isUnfiltered ? { table: table.name, method } : undefined} />
    </section>
  );
}
