// GET /api/v2/schema/: the document, as YAML or JSON, by Accept or `format`, in the language of `lang`.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { described, type Route } from '../../description/described-route.ts';
import { type Language, languageOf } from '../../description/language.ts';
import type { Described } from '../../description/operation.ts';
import type { ApiContext } from '../../operations/exchange.ts';
import type { DescribedCollection } from './collection-paths.ts';
import { openapiDocument } from './document.ts';
import { yamlText } from './yaml-text.ts';

type Format = { readonly kind: 'yaml' | 'json'; readonly type: string };

const FORMATS: readonly Format[] = [
  { kind: 'yaml', type: 'application/vnd.oai.openapi' },
  { kind: 'yaml', type: 'application/yaml' },
  { kind: 'json', type: 'application/vnd.oai.openapi+json' },
  { kind: 'json', type: 'application/json' },
];
const [YAML, , , JSON_FORMAT] = FORMATS;

const DESCRIBED: Described = {
  id: 'schema',
  tag: 'root',
  summary: { en: 'This document', de: 'Dieses Dokument' },
  parameters: [
    {
      name: 'format',
      in: 'query',
      schema: { type: 'string', enum: ['yaml', 'json', 'openapi', 'openapi-json'] },
      example: 'json',
    },
    { name: 'lang', in: 'query', schema: { type: 'string' }, example: 'de' },
  ],
  answers: { 200: undefined },
  contents: {
    200: Object.fromEntries(
      FORMATS.map(({ kind, type }) => [type, { schema: { type: kind === 'json' ? 'object' : 'string' } }]),
    ),
  },
  refusals: [404],
};

/** Most portals have one address; a flood of invented ones starts over. */
const MAX_KEPT = 20;

export function registerSchema(
  app: FastifyInstance,
  context: ApiContext,
  collections: readonly DescribedCollection[],
  version: string,
  routes: readonly Route[],
): void {
  const kept = new Map<string, string>();
  const documentFor = (kind: Format['kind'], base: string, language: Language): string => {
    const key = `${kind} ${language} ${base}`;
    let text = kept.get(key);
    if (text === undefined) {
      const document = openapiDocument({ collections, base, version, language, routes });
      text = kind === 'yaml' ? yamlText(document) : JSON.stringify(document);
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(key, text);
    }
    return text;
  };
  const ofRoute = { config: { negotiates: true, ...described(DESCRIBED).config } };
  app.get('/api/v2/schema', ofRoute, async (request, reply) => {
    const who = await context.identify(request);
    if (!who.ok) return context.answerError(request, reply, who.error);
    const { format, lang } = request.query as { readonly format?: unknown; readonly lang?: unknown };
    const chosen = format === undefined ? byAccept(request) : byName(format);
    if (chosen === undefined) {
      return context.answerError(
        request,
        reply,
        { kind: format === undefined ? 'not-acceptable' : 'not-found' },
        who.value,
      );
    }
    const language = languageOf(typeof lang === 'string' ? lang : request.headers['accept-language']);
    return reply
      .type(chosen.type)
      .header('Vary', 'Accept, Accept-Language')
      .header('Content-Language', language)
      .header('Content-Disposition', `inline; filename="schema.${chosen.kind}"`)
      .send(documentFor(chosen.kind, context.baseUrl(request), language));
  });
  // Where clients of other portals look for pages about it; ours stands among the portal's pages.
  for (const page of ['swagger-ui', 'redoc']) {
    app.get(`/api/v2/schema/${page}`, { config: { negotiates: true } }, (_request, reply) =>
      reply.redirect('/console'),
    );
  }
}

function byName(format: unknown): Format | undefined {
  return format === 'yaml' || format === 'openapi'
    ? YAML
    : format === 'json' || format === 'openapi-json'
      ? JSON_FORMAT
      : undefined;
}

/** The best of what the client takes; YAML where it does not care. */
function byAccept({ headers }: FastifyRequest): Format | undefined {
  const { accept } = headers;
  if (accept === undefined || accept.trim() === '') return YAML;
  const ranges = accept
    .split(',')
    .map((part, at) => {
      const [type = '', ...params] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const q = params.find((param) => param.startsWith('q='));
      return { type, weight: q === undefined ? 1 : Number(q.slice(2)) || 0, at };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.at - b.at);
  for (const { type } of ranges) {
    if (type === '*/*' || type === 'application/*') return YAML;
    const found = FORMATS.find((format) => format.type === type);
    if (found !== undefined) return found;
  }
  return undefined;
}
