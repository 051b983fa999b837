// What the examples of the documents use of openssl, for machines that have none: `rand -hex N` and `dgst -sha256 -binary`.

import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeSync } from 'node:fs';

const asked = process.argv.slice(2).join(' ');
const bytes = /^rand -hex (\d+)$/.exec(asked)?.[1];
if (bytes !== undefined) writeSync(1, `${randomBytes(Number(bytes)).toString('hex')}\n`);
else if (asked === 'dgst -sha256 -binary') writeSync(1, createHash('sha256').update(readFileSync(0)).digest());
else throw new Error(`openssl: ${asked} is not understood here`);
