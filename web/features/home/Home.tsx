// The first page: what this portal is, and where its interfaces are.

import { useCollections } from './use-collections.ts';

export function Home() {
  const collections = useCollections();
  return (
    <main>
      <h1>Survest</h1>
      <p>A database as a secure API and a geospatial portal.</p>
      <h2>Collections</h2>
      {collections.kind === 'loading' && <p aria-busy="true">Loading…</p>}
      {collections.kind === 'failed' && <p role="alert">{collections.message}</p>}
      {collections.kind === 'loaded' && (
        <ul>
          {collections.list.map(({ name, url }) => (
            <li key={name}>
              <a href={url}>{name}</a>
            </li>
          ))}
        </ul>
      )}
    </main>
  );
}
