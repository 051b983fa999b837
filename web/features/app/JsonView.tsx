// JSON that nobody here knows the meaning of, for reading: names and values, lists, tables. Deep parts open when asked for; text is
// shown as text.

import { dataNumber } from '../../lib/data-number.ts';
import { type Text, useText } from '../../lib/i18n/text.ts';
import './app.css';

const MAX_ENTRIES = 200;
const MAX_COLUMNS = 8;
const OPEN_LEVELS = 2;

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

export function JsonView({ data, level = 0 }: { readonly data: unknown; readonly level?: number }) {
  const t = useText();
  if (Array.isArray(data)) return <ListView list={data} level={level} />;
  if (!isObject(data)) return <PlainValue value={data} />;
  const entries = Object.entries(data);
  return (
    <>
      <dl className="data-view">
        {entries.slice(0, MAX_ENTRIES).map(([name, value]) => (
          <div key={name} className={isPlain(value) ? 'data-entry' : 'data-entry deep'}>
            <dt>{name}</dt>
            <dd>
              <Deep value={value} level={level} />
            </dd>
          </div>
        ))}
      </dl>
      <More n={entries.length} t={t} />
    </>
  );
}

function More({ n, t }: { readonly n: number; readonly t: Text }) {
  return n <= MAX_ENTRIES ? null : (
    <p className="soft small-text">{t('data.more', { n: t.number(n - MAX_ENTRIES) })}</p>
  );
}

function Deep({ value, level }: { readonly value: unknown; readonly level: number }) {
  const t = useText();
  if (isPlain(value)) return <PlainValue value={value} />;
  const n = Object.keys(value as object).length;
  if (n === 0) return <PlainValue value={null} />;
  return (
    <details open={level + 1 < OPEN_LEVELS}>
      <summary>{t.count('data.entries', n)}</summary>
      <JsonView data={value} level={level + 1} />
    </details>
  );
}

function ListView({ list, level }: { readonly list: readonly unknown[]; readonly level: number }) {
  const t = useText();
  const shown = list.slice(0, MAX_ENTRIES);
  const columns = columnsOf(shown);
  return (
    <>
      {columns === undefined ? (
        <ol className="data-list">
          {shown.map((value, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries of a list have no other name, and are never moved.
            <li key={i}>
              <Deep value={value} level={level} />
            </li>
          ))}
        </ol>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className="scroll-x" tabIndex={0} aria-label={t('app.content')}>
          <table className="data-table">
            <thead>
              <tr>
                {columns.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((row, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a list have no other name, and are never moved.
                <tr key={i}>
                  {columns.map((name) => (
                    <td key={name}>
                      <PlainValue value={(row as Json)[name]} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <More n={list.length} t={t} />
    </>
  );
}

/** Of a list whose entries are all alike and flat; undefined: it is no table. */
function columnsOf(list: readonly unknown[]): readonly string[] | undefined {
  if (list.length < 2 || !list.every((row) => isObject(row) && Object.values(row).every(isPlain))) return undefined;
  const names = [...new Set(list.flatMap((row) => Object.keys(row as Json)))];
  return names.length > 0 && names.length <= MAX_COLUMNS ? names : undefined;
}

function PlainValue({ value }: { readonly value: unknown }) {
  const t = useText();
  if (value === null || value === undefined) return <span className="soft">{t('data.nothing')}</span>;
  if (typeof value === 'boolean') return <>{value ? t('data.yes') : t('data.no')}</>;
  if (typeof value === 'number') return <span className="number">{dataNumber(t, value, undefined, 9)}</span>;
  const text = String(value);
  if (/^https?:\/\/\S+$/.test(text)) {
    return (
      <a href={text} rel="noopener noreferrer nofollow" target="_blank">
        {text}
      </a>
    );
  }
  return <span className="data-text">{text}</span>;
}
