// An API description → an OpenAPI 3.1 document: the operations each relation and function really has, with schemas of
// rows, arguments and results in JSON Schema 2020-12.

import { atOnce, type Stage } from '../../../kernel/in-slices.ts';
import type { ApiDescription } from './api-description.ts';
import { apiTitle } from './api-description.ts';
import type { JsonText, Member } from './json-text.ts';
import { json, jsonObject } from './json-text.ts';
import { batchPath } from './openapi31-batch.ts';
import { functionPaths } from './openapi31-functions.ts';
import {
  componentRef,
  FAILURES,
  SHARED_HEADERS,
  SHARED_PARAMETERS,
  SHARED_REQUEST_BODIES,
  SHARED_RESPONSES,
  SHARED_SCHEMAS,
} from './openapi31-shared.ts';
import type { Profile } from './openapi31-tables.ts';
import { tableParts } from './openapi31-tables.ts';

export function makeOpenapi31(api: ApiDescription): JsonText {
  return atOnce(openapi31Steps(api));
}

/** One step a relation. */
export function* openapi31Steps(api: ApiDescription): Stage<JsonText> {
  const { summary: title, description } = apiTitle(api.comment);
  const profile = profileParameters(api);
  const parts = yield* tableParts(api, profile.refs);
  return jsonObject([
    ['openapi', json('3.1.0')],
    ['info', json({ title, description, version: api.version })],
    ['servers', json([{ url: api.address.url }])],
    // A token is asked for where nobody is served without one, or where the operator says so; elsewhere it is a choice.
    ['security', json(api.securityActive || !api.anonymousAllowed ? [{ JWT: [] }] : [{}, { JWT: [] }])],
    [
      'paths',
      jsonObject([
        ['/', ROOT_PATH],
        api.batch && [`/${api.batch.path}`, batchPath(api.batch.size)],
        ...parts.paths,
        ...functionPaths(api, profile.refs),
      ]),
    ],
    [
      'components',
      jsonObject([
        ['schemas', jsonObject([...SHARED_SCHEMAS, ...parts.schemas])],
        ['responses', jsonObject([...SHARED_RESPONSES, ...parts.responses])],
        ['parameters', jsonObject([...SHARED_PARAMETERS, ...profile.parameters, ...parts.parameters])],
        ['requestBodies', jsonObject(SHARED_REQUEST_BODIES)],
        ['headers', jsonObject(SHARED_HEADERS)],
        ['securitySchemes', SECURITY_SCHEMES],
      ]),
    ],
    api.docs && ['externalDocs', json(api.docs)],
  ]);
}

const ROOT_PATH = jsonObject([
  [
    'get',
    jsonObject([
      ['operationId', json('describe')],
      ['tags', json(['Introspection'])],
      ['summary', json('OpenAPI description (this document)')],
      [
        'responses',
        jsonObject([
          [
            '200',
            json({
              description: 'The API as the caller may use it.',
              content: {
                'application/openapi+json': { schema: { type: 'object' } },
                'application/vnd.oai.openapi+json;version=3.1': { schema: { type: 'object' } },
              },
            }),
          ],
          ...FAILURES,
        ]),
      ],
    ]),
  ],
]);

const SECURITY_SCHEMES = json({
  JWT: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A signed token; its role claim names the database role that the request runs as.',
  },
});

function profileParameters({ schema, exposedSchemas }: ApiDescription): {
  refs: Profile;
  parameters: readonly Member[];
} {
  if (exposedSchemas.length < 2) return { refs: { read: [], write: [] }, parameters: [] };
  const required = exposedSchemas[0] !== schema;
  const parameter = (name: string): JsonText =>
    json({
      name,
      in: 'header',
      required,
      description: 'Which of the exposed schemas is meant.',
      schema: { const: schema },
    });
  return {
    refs: {
      read: [json(componentRef('parameters', 'acceptProfile'))],
      write: [json(componentRef('parameters', 'contentProfile'))],
    },
    parameters: [
      ['acceptProfile', parameter('Accept-Profile')],
      ['contentProfile', parameter('Content-Profile')],
    ],
  };
}
