// The answers of the geocoder that are kept, and whose turn it is to ask, as statements. Pure.

import type { Statement } from '../../../pg/driver.ts';

/** A row for each of the keys whose answer is kept: key, answer. */
export function keptAnswers(keys: readonly string[]): Statement {
  return { text: 'select key, answer from portal.geocoder_answers($1::text[])', params: [`{${keys.join(',')}}`] };
}

export function keepAnswer(key: string, answer: string): Statement {
  return { text: 'select portal.keep_geocoder_answer($1, $2::jsonb)', params: [key, answer] };
}

export function trimAnswers(most: number): Statement {
  return { text: 'select portal.trim_geocoder_answers($1::integer)', params: [String(most)] };
}

/** One cell: milliseconds until it may be asked. */
export function nextTurn(perSecond: number): Statement {
  return { text: 'select portal.geocoder_turn($1::double precision)', params: [String(perSecond)] };
}
