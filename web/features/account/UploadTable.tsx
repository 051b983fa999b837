// Imports as a table: which run, which ended, and how.

import type { Upload } from '../../api/types.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Link } from '../../ui/Link.tsx';

export function UploadTable({
  uploads,
  owners,
}: {
  readonly uploads: readonly Upload[];
  /** Names by id, where the imports are of several people. */
  readonly owners?: ReadonlyMap<number, string>;
}) {
  const t = useText();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="scroll-x" tabIndex={0} aria-label={t('account.uploads')}>
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">{t('uploads.name')}</th>
            {owners !== undefined && <th scope="col">{t('facet.owner')}</th>}
            <th scope="col">{t('uploads.state')}</th>
            <th scope="col" className="right">
              {t('uploads.progress')}
            </th>
            <th scope="col">{t('uploads.date')}</th>
            <th scope="col">
              <span className="visually-hidden">{t('action.open')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {uploads.map((one) => (
            <tr key={one.id}>
              <th scope="row">{one.name}</th>
              {owners !== undefined && <td>{one.user === null ? '–' : (owners.get(one.user) ?? one.user)}</td>}
              <td>
                <span className={`badge ${one.state === 'PROCESSED' ? 'good' : one.state === 'INVALID' ? 'bad' : ''}`}>
                  {t.entry('upload-state', one.state)}
                </span>
              </td>
              <td className="right">{t.number(one.progress)} %</td>
              <td>{t.time(one.date)}</td>
              <td>
                {one.detail_url === null ? (
                  <Link to={`/add/${one.id}`}>{t('action.open')}</Link>
                ) : (
                  <Link to={decodeURI(new URL(one.detail_url).pathname)}>{t('action.open')}</Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
