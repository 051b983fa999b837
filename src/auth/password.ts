// Passwords of portal accounts: argon2id, with the parameters in the hash itself, so that they can grow over the years.

import { hash, type Options, verify } from '@node-rs/argon2';

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane. About 30 to 60 ms here, off the event loop.
const POLICY = {
  algorithm: 2,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
  outputLen: 32,
} as const satisfies Options;

export function hashPassword(password: string): Promise<string> {
  return hash(normalForm(password), POLICY);
}

/** For an account that does not exist pass undefined: the answer is no, and takes as long as for one that does. */
export async function verifyPassword(hashed: string | undefined, password: string): Promise<boolean> {
  if (hashed === undefined) {
    await verify(await decoy(), normalForm(password));
    return false;
  }
  try {
    return await verify(hashed, normalForm(password));
  } catch {
    // Not an argon2 hash: an account whose password was disabled.
    return false;
  }
}

let decoyHash: Promise<string> | undefined;
function decoy(): Promise<string> {
  decoyHash ??= hash('', POLICY);
  return decoyHash;
}

/** The same password typed on two keyboards can arrive composed or decomposed (NIST SP 800-63B, 3.1.1.2). */
function normalForm(password: string): string {
  return password.normalize('NFKC');
}
