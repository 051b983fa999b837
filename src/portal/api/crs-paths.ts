// GET /api/v2/crs/?search=: coordinate systems by name or code, from those the database knows. Every word has to be in the name, or begin
// the code. Those over WGS 84 and ETRS89, which most data are in, come first; systems that are not those of maps (geocentric ones, heights) are left out.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../kernel/result.ts';
import { sql } from '../../sql/index.ts';
import { described } from '../description/described-route.ts';
import { arrayOf, record } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { arrayText, type BoundValue, bound } from '../fields/bound-value.ts';
import { type Answer, type ApiContext, asRoute, type Exchange, json } from '../operations/exchange.ts';
import { cellOf } from '../operations/read.ts';

const MAX_CRS_SEARCH = 100;
const MAX = 20;
const MAX_WORDS = 8;

export function registerCrsPaths(app: FastifyInstance, context: ApiContext): void {
  app.get(
    '/api/v2/crs',
    described({
      id: 'crs_search',
      tag: 'uploads',
      summary: {
        en: 'Coordinate systems by words of their name, or by their code',
        de: 'Koordinatensysteme nach Wörtern ihres Namens oder nach ihrem Code',
      },
      parameters: [{ name: 'search', in: 'query', schema: { type: 'string', maxLength: MAX_CRS_SEARCH } }],
      answers: {
        200: record({
          crs: arrayOf(
            record({
              code: { type: 'string', example: 'EPSG:25832' },
              name: { type: 'string', example: 'ETRS89 / UTM zone 32N' },
            }),
          ),
        }),
      },
      refusals: [400],
    }),
    asRoute(context, (exchange) => findSystems(context, exchange)),
  );
}

async function findSystems({ db }: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const words = wordsOf(new URLSearchParams(exchange.query).get('search') ?? '');
  if (words === undefined)
    return err({
      kind: 'invalid-fields',
      fields: { search: [`Ensure this field has no more than ${MAX_CRS_SEARCH} characters.`] },
    });
  if (words.length === 0) return ok(json(200, { crs: [] }));
  const found = await db.read(exchange.caller, exchange.info, [
    exchange.statement(
      sql<BoundValue>`select coalesce(json_agg(json_build_object('code', 'EPSG:' || f.srid, 'name', f.name) order by f.n), '[]') from (
        select s.srid, s.name, row_number() over (order by s.srid::text = any (w.words) desc, s.name ~ '^(WGS 84|ETRS89)( |$)' desc, length(s.name), s.srid) as n
          from (select srid, split_part(srtext, '"', 2) as name from spatial_ref_sys
                 where auth_name = 'EPSG' and auth_srid = srid and (srtext like 'PROJCS%' or srtext like 'GEOGCS%') and proj4text not like '%+proj=geocent%') s,
               (select ${bound(arrayText(words))}::text[] as words) w
         where s.name <> '' and not exists (select from unnest(w.words) word where strpos(lower(s.name), word) = 0 and not starts_with(s.srid::text, word))
         order by n limit ${bound(String(MAX))}::integer) f`,
    ),
  ]);
  if (!found.ok) return err({ kind: 'database', error: found.error });
  return ok({ status: 200, body: `{"crs":${cellOf(found.value[0])?.toString() ?? '[]'}}` });
}

/** Undefined: too long. */
export function wordsOf(search: string): readonly string[] | undefined {
  if (search.length > MAX_CRS_SEARCH) return undefined;
  return search
    .toLowerCase()
    .split(/[^\p{L}\p{N}]/u)
    .filter((word) => word !== '' && word !== 'epsg')
    .slice(0, MAX_WORDS);
}
