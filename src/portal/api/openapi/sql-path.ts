// The address for SQL of administrators, in the OpenAPI document.

import type { Language } from '../../description/language.ts';
import { ANSWER_TEXTS, failures, jsonContent, type Paths } from '../../description/operation.ts';
import { MAX_STATEMENT, SQL_ACTIONS } from '../../sql-console/sql-request.ts';
import { TEXTS } from './texts.ts';

export function sqlPath(language: Language): Paths {
  return {
    '/api/v2/sql/': {
      post: {
        operationId: 'sql_run',
        tags: ['layers'],
        summary: TEXTS.runSql[language],
        requestBody: {
          required: true,
          content: jsonContent(
            {
              type: 'object',
              properties: {
                statement: {
                  type: 'string',
                  maxLength: MAX_STATEMENT,
                  description: 'One statement: SELECT, VALUES, TABLE, WITH, INSERT, UPDATE, DELETE or MERGE.',
                },
                action: { type: 'string', enum: SQL_ACTIONS, default: 'run' },
                writes: { type: 'boolean', default: false, description: 'What it changes stays.' },
              },
              required: ['statement'],
              additionalProperties: false,
            },
            { count: { statement: 'select count(*) from trees' } },
          ),
        },
        responses: {
          200: {
            description: ANSWER_TEXTS.done[language],
            content: jsonContent({
              type: 'object',
              properties: {
                columns: { type: 'array', items: { type: 'string' } },
                rows: {
                  type: 'array',
                  items: { type: 'array', items: { type: 'string', nullable: true } },
                  description: 'At most 1000, values as texts.',
                },
                more: { type: 'boolean', description: 'There are further rows.' },
                written: { type: 'integer', nullable: true, description: 'Rows changed, where none are returned.' },
                plan: { description: 'What EXPLAIN says (`explain`, `analyze`).' },
              },
              additionalProperties: false,
            }),
          },
          ...failures(language, '400', '401', '403'),
        },
      },
    },
  };
}
