// Examples as the documentation writes them → with the address under which the reader sees this portal. The REST service is found beside it.

import { CHAPTERS } from './chapters.ts';

const REST = /(?:http:\/\/)?localhost:3000(\/?)/g;
const PORTAL = /(?:http:\/\/)?localhost:8000/g;

/** About a program that the reader starts: `localhost` is what is meant. */
const OF_A_MACHINE: ReadonlySet<string> = new Set([...CHAPTERS.operation, 'start', 'moving-from-postgrest']);

/** `origin`: of the portal, without a slash at the end. */
export function exampleAddress(page: string, origin: string): (code: string) => string {
  if (OF_A_MACHINE.has(page)) return (code) => code;
  return (code) => code.replace(REST, `${origin}/rest/v1$1`).replace(PORTAL, origin);
}
