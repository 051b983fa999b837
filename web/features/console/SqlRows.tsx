// The rows that a statement has returned. Numbers stand right; what is nothing is told from an empty text.

import { useText } from '../../lib/i18n/text.ts';

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i;

export function SqlRows({
  columns,
  rows,
}: {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}) {
  const t = useText();
  const areNumbers = columns.map((_, i) => rows.every((row) => NUMBER.test(row[i] ?? '0')));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="scroll-x sql-rows" tabIndex={0} aria-label={t('sql.result')}>
      <table className="data-table">
        <thead>
          <tr>
            {columns.map((name, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may be there twice.
              <th key={i} scope="col" className={areNumbers[i] ? 'right' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result have no names.
            <tr key={at}>
              {columns.map((_, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as the columns.
                <td key={i} className={areNumbers[i] ? 'right' : ''}>
                  {row[i] ?? <span className="soft">NULL</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
