// Whether a request shows rows just as they are stored: handlers of the database that take a relation's rows apply then only.

import type { QueryParams } from '../request/api-request.ts';

export function selectsEverything({ select }: QueryParams): boolean {
  const [only, another] = select;
  return another === undefined && (only === undefined || only.kind === 'star');
}
