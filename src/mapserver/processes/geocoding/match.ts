// What was found for an address → how well each answer fits, and whether the best one can be taken without anybody looking. Pure.

import { plainName } from '../../basemaps/plain-name.ts';

type Place = { readonly lon: number; readonly lat: number };

export type Candidate = { readonly name: string; readonly lon: number; readonly lat: number; readonly score: number };

/** `failed`: the geocoder did not answer about it. */
type MatchState = 'sure' | 'unsure' | 'none' | 'failed';

export type Match = { readonly state: MatchState; readonly candidates: readonly Candidate[] };

export const NO_MATCH: Match = { state: 'none', candidates: [] };

const MAX_CANDIDATES = 5;
const SURE = 0.8;
/** Another place that fits nearly as well, this far away. */
const RIVAL_SCORE = 0.05;
const RIVAL_METRES = 500;
const METRES_PER_DEGREE = 111_320;
const SHORTEST_BEGINNING = 3;

export function judge(found: readonly Candidate[]): Match {
  const candidates = found.toSorted((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES);
  const [best] = candidates;
  if (best === undefined) return NO_MATCH;
  const hasRival = candidates.some(
    (one) => best.score - one.score <= RIVAL_SCORE && metresBetween(best, one) > RIVAL_METRES,
  );
  return { state: best.score >= SURE && !hasRival ? 'sure' : 'unsure', candidates };
}

/** Near enough for telling places apart. */
export function metresBetween(a: Place, b: Place): number {
  const x = (a.lon - b.lon) * Math.cos((a.lat * Math.PI) / 180);
  return Math.hypot(x, a.lat - b.lat) * METRES_PER_DEGREE;
}

/** The share of the words of an address that the name of what was found has; 0 to 1. `Hauptstr.` is `Hauptstrasse`, `5` is not `51`. */
export function scoreOf(address: string, name: string): number {
  const asked = wordsOf(address);
  const there = wordsOf(name);
  if (asked.length === 0) return 0;
  const met = asked.filter((word) => there.some((other) => isSame(word, other)));
  return Math.round((met.length / asked.length) * 100) / 100;
}

function wordsOf(text: string): readonly string[] {
  return plainName(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isSame(a: string, b: string): boolean {
  if (a === b) return true;
  if (/\d/.test(a) || /\d/.test(b) || Math.min(a.length, b.length) < SHORTEST_BEGINNING) return false;
  return a.startsWith(b) || b.startsWith(a);
}
