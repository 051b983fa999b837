// `/sitemap.xml` and `/robots.txt` for search engines. More pages than one file may have are split: `/sitemap.xml` then lists the files.

import type { FastifyInstance } from 'fastify';
import { escapeXml } from '../../kernel/escape-xml.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { described } from '../description/described-route.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { type Answer, asRoute, type Exchange } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';
import { pathPart } from '../operations/register-collection.ts';
import type { PortalContext } from '../portal-context.ts';
import { SITEMAP_DESCRIBED } from './discovery-described.ts';
import { sitemapCountSql, sitemapSql } from './query/sitemap-sql.ts';

/** As the protocol bounds a file. */
const MAX_ADDRESSES = 50_000;

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

export function registerSitemap(app: FastifyInstance, context: PortalContext, perFile: number = MAX_ADDRESSES): void {
  app.get(
    '/robots.txt',
    asRoute(context, async ({ base }) => {
      const body = `User-agent: *\nDisallow: /api/\nDisallow: /account/\nAllow: /\nSitemap: ${base}/sitemap.xml\n`;
      return ok({ status: 200, body, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
    }),
  );
  app.get(
    '/sitemap.xml',
    described(SITEMAP_DESCRIBED),
    asRoute(context, async (exchange) => {
      const executed = await context.db.read(exchange.caller, exchange.info, [exchange.statement(sitemapCountSql())]);
      if (!executed.ok) return err({ kind: 'database', error: executed.error });
      const total = Number(cellOf(executed.value[0])?.toString() ?? 0);
      if (total <= perFile) return file(exchange, 1);
      const files = Array.from(
        { length: Math.ceil(total / perFile) },
        (_, i) => `<sitemap><loc>${escapeXml(`${exchange.base}/sitemaps/${i + 1}.xml`)}</loc></sitemap>`,
      );
      return ok(xml(`${HEAD}<sitemapindex ${NAMESPACE}>${files.join('')}</sitemapindex>\n`));
    }),
  );
  app.get(
    '/sitemaps/:file',
    asRoute(context, async (exchange) => {
      const number = /^([1-9]\d{0,4})\.xml$/.exec(pathPart(exchange, 'file'))?.[1];
      return number === undefined ? err({ kind: 'not-found' }) : file(exchange, Number(number));
    }),
  );

  async function file(exchange: Exchange, number: number): Promise<Result<Answer, PortalError>> {
    const statement = exchange.statement(sitemapSql((number - 1) * perFile, perFile));
    const executed = await context.db.read(exchange.caller, exchange.info, [statement]);
    if (!executed.ok) return err({ kind: 'database', error: executed.error });
    const rows = JSON.parse(cellOf(executed.value[0])?.toString() ?? '[]') as readonly (readonly [string, string])[];
    if (rows.length === 0 && number > 1) return err({ kind: 'not-found' });
    const urls = rows.map(
      ([page, day]) => `<url><loc>${escapeXml(encodeURI(page))}</loc><lastmod>${day}</lastmod></url>`,
    );
    return ok(xml(`${HEAD}<urlset ${NAMESPACE}>${urls.join('\n')}</urlset>\n`));
  }
}

function xml(body: string): Answer {
  return { status: 200, body, headers: { 'Content-Type': 'application/xml; charset=utf-8' } };
}
