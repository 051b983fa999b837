// The portal's own API, as its OpenAPI document describes it.

import { useState } from 'react';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { parseOpenApi } from '../../lib/swagger.ts';
import { Icon } from '../../ui/Icon.tsx';
import { WhenLoaded } from '../../ui/States.tsx';

export function PortalApi() {
  const t = useText();
  const [loaded, again] = useLoaded(`/api/v2/schema/?format=json&lang=${t.language}`);
  const [q, setQ] = useState('');
  return (
    <div className="stack">
      <div className="row apart">
        <input
          className="input admin-search"
          type="search"
          aria-label={t('console.find')}
          placeholder={t('console.find')}
          value={q}
          onChange={(event) => setQ(event.target.value)}
        />
        <a className="button" href="/api/v2/schema/?format=json">
          <Icon name="download" />
          OpenAPI
        </a>
      </div>
      <WhenLoaded loaded={loaded} onRetry={again}>
        {(document) =>
          parseOpenApi(document)
            .map((tag) => ({
              ...tag,
              operations: tag.operations.filter(({ path, summary }) =>
                `${path} ${summary}`.toLowerCase().includes(q.toLowerCase()),
              ),
            }))
            .filter(({ operations }) => operations.length > 0)
            .map(({ name, operations }) => (
              <section key={name} className="stack tight" aria-label={name}>
                <h2>{name}</h2>
                {operations.map((operation) => (
                  <details key={`${operation.method} ${operation.path}`} className="operation">
                    <summary>
                      <span className={`method ${operation.method.toLowerCase()}`}>{operation.method}</span>
                      <code>{operation.path}</code>
                      <span className="soft small-text">{operation.summary}</span>
                    </summary>
                    {operation.parameters.length > 0 ? (
                      <table className="data-table">
                        <thead>
                          <tr>
                            <th scope="col">{t('console.parameter')}</th>
                            <th scope="col">{t('console.where')}</th>
                            <th scope="col">{t('meta.abstract')}</th>
                          </tr>
                        </thead>
                        <tbody>
                          {operation.parameters.map((one) => (
                            <tr key={`${one.type} ${one.name}`}>
                              <th scope="row">
                                <code>{one.name}</code>
                              </th>
                              <td>{one.type}</td>
                              <td>{one.about}</td>
                            </tr>
                          ))}
                        </tbody>
                      </table>
                    ) : (
                      <p className="soft">{t('console.no-args')}</p>
                    )}
                    {operation.hasBody && <p className="soft">{t('console.has-body')}</p>}
                  </details>
                ))}
              </section>
            ))
        }
      </WhenLoaded>
    </div>
  );
}
