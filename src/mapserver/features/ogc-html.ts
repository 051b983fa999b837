// The same documents as pages for people: plain HTML without scripts. Everything that comes from the data is escaped. Pure.

import { exactText } from '../../kernel/exact-numbers.ts';
import type { Layer, VectorLayer } from '../../layer-ports/layer.ts';
import { CONFORMANCE, collectionUrl, type Link } from './ogc-documents.ts';

export const HTML_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
  'Referrer-Policy': 'same-origin',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:70rem;padding:1rem;color:#1b2733}
a{color:#0b5cad}table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border:1px solid #ccd4dc;padding:.25rem .5rem;text-align:left;vertical-align:top}
th{background:#eef2f6}nav{color:#51606f;margin-bottom:1rem}code{background:#eef2f6;padding:0 .2rem}`;

type Crumb = readonly [title: string, href: string];

function page(title: string, crumbs: readonly Crumb[], body: string): string {
  const trail = crumbs.map(([name, href]) => `<a href="${escapeHtml(href)}">${escapeHtml(name)}</a> / `).join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><nav aria-label="Where you are">${trail}</nav><main><h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>
`;
}

function list(links: readonly Link[]): string {
  const items = links.map(
    ({ href, rel, title, templated }) =>
      `<li>${templated === true ? `<code>${escapeHtml(href)}</code>` : `<a href="${escapeHtml(href)}">${escapeHtml(title ?? href)}</a>`} <small>${escapeHtml(rel)}</small></li>`,
  );
  return `<ul>${items.join('')}</ul>`;
}

export function landingHtml(
  root: string,
  { title, description, links }: { title: string; description: string; links: readonly Link[] },
): string {
  return page(
    title,
    [],
    `<p>${escapeHtml(description)}</p>${list(links.filter(({ rel }) => !rel.startsWith('http')))}<p><a href="${escapeHtml(root)}/collections?f=html">All layers</a></p>`,
  );
}

export function conformanceHtml(root: string): string {
  return page(
    'What it conforms to',
    [['Map services', `${root}/?f=html`]],
    `<ul>${CONFORMANCE.map((one) => `<li><code>${one}</code></li>`).join('')}</ul>`,
  );
}

export function apiHtml(root: string, document: Readonly<Record<string, unknown>>): string {
  const paths = Object.entries((document['paths'] ?? {}) as Record<string, Record<string, { summary?: string }>>);
  const rows = paths.flatMap(([path, verbs]) =>
    Object.entries(verbs).map(
      ([verb, { summary = '' }]) =>
        `<tr><td><code>${verb.toUpperCase()}</code></td><td><code>${escapeHtml(path)}</code></td><td>${escapeHtml(summary)}</td></tr>`,
    ),
  );
  return page(
    'The interface',
    [['Map services', `${root}/?f=html`]],
    `<p><a href="${escapeHtml(root)}/api">As OpenAPI 3.0</a></p><table><thead><tr><th>Verb</th><th>Path</th><th>What</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
  );
}

export function collectionsHtml(root: string, layers: readonly Layer[], links: readonly Link[]): string {
  const rows = layers.map(
    (layer) =>
      `<tr><td><a href="${escapeHtml(collectionUrl(root, layer))}?f=html">${escapeHtml(layer.title)}</a></td><td>${escapeHtml(layer.abstract)}</td></tr>`,
  );
  const pages = links.filter(({ rel }) => rel === 'next' || rel === 'prev');
  return page(
    'Layers',
    [['Map services', `${root}/?f=html`]],
    `<table><thead><tr><th>Layer</th><th>About</th></tr></thead><tbody>${rows.join('')}</tbody></table>${list(pages)}`,
  );
}

export function collectionHtml(root: string, layer: Layer, { links }: { readonly links: readonly Link[] }): string {
  const box = layer.extent?.wgs84.map((edge) => edge.toFixed(6)).join(', ');
  return page(
    layer.title,
    [
      ['Map services', `${root}/?f=html`],
      ['Layers', `${root}/collections?f=html`],
    ],
    `<p>${escapeHtml(layer.abstract)}</p>${box === undefined ? '' : `<p>From west, south to east, north: ${box}</p>`}${list(links)}`,
  );
}

export type ShownFeature = {
  readonly id: unknown;
  readonly geometry: { readonly type?: unknown } | null;
  readonly properties: Readonly<Record<string, unknown>>;
};

export function itemsHtml(
  root: string,
  layer: VectorLayer,
  features: readonly ShownFeature[],
  columns: readonly string[],
  links: readonly Link[],
): string {
  const url = collectionUrl(root, layer);
  const rows = features.map(({ id, geometry, properties }) => {
    const cells = columns.map((name) => `<td>${escapeHtml(exactText(properties[name]))}</td>`);
    return `<tr><td><a href="${escapeHtml(`${url}/items/${encodeURIComponent(exactText(id))}`)}?f=html">${escapeHtml(exactText(id))}</a></td>${cells.join('')}<td>${escapeHtml(String(geometry?.type ?? ''))}</td></tr>`;
  });
  return page(
    layer.title,
    [
      ['Map services', `${root}/?f=html`],
      ['Layers', `${root}/collections?f=html`],
      [layer.title, `${url}?f=html`],
    ],
    `<table><thead><tr><th>id</th>${columns.map((name) => `<th>${escapeHtml(name)}</th>`).join('')}<th>geometry</th></tr></thead><tbody>${rows.join('')}</tbody></table>${list(links)}`,
  );
}

export function itemHtml(root: string, layer: VectorLayer, { id, geometry, properties }: ShownFeature): string {
  const url = collectionUrl(root, layer);
  const rows = Object.entries(properties).map(
    ([name, value]) => `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(exactText(value))}</td></tr>`,
  );
  return page(
    `${layer.title}: ${exactText(id)}`,
    [
      ['Map services', `${root}/?f=html`],
      ['Layers', `${root}/collections?f=html`],
      [layer.title, `${url}?f=html`],
    ],
    `<table><tbody>${rows.join('')}<tr><th>geometry</th><td>${escapeHtml(JSON.stringify(geometry).slice(0, 2000))}</td></tr></tbody></table>`,
  );
}
