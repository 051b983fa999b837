// A body of newline-delimited JSON → the JSON array of its lines. In: the bytes, an object a line. Out: bytes again, or what is wrong.
// Each line is looked at by itself: lines that only together make sense are refused. Blank lines are skipped.

import { err, ok, type Result } from '../../kernel/result.ts';
import { DEEPEST_JSON, scanJson } from './json-scan.ts';
import type { BodyProblem } from './request-error.ts';

const LINE_FEED = 0x0a;
const COMMA = 0x2c;

export function linesToJson(bytes: Uint8Array): Result<Uint8Array, BodyProblem> {
  // A line feed for each line, the last one perhaps without, and two brackets.
  const out = Buffer.allocUnsafe(bytes.length + 2);
  let at = 0;
  out[at++] = 0x5b;
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, from);
    const to = found < 0 ? bytes.length : found;
    const line = bytes.subarray(from, to);
    from = to + 1;
    if (isBlank(line)) continue;
    const { kind } = scanJson(line);
    if (kind === 'too-deep') return err({ kind: 'json-too-deep', limit: DEEPEST_JSON });
    if (kind !== 'object') return err({ kind: 'json-invalid' });
    if (at > 1) out[at++] = COMMA;
    out.set(line, at);
    at += line.length;
  }
  out[at++] = 0x5d;
  return ok(out.subarray(0, at));
}

function isBlank(line: Uint8Array): boolean {
  for (const byte of line) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  return true;
}
