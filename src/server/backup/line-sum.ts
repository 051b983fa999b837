// A checksum of lines that does not depend on their order: the sum of a checksum of each. Two tables with the same one have the same rows.

import { createHash } from 'node:crypto';

export type LineSum = { add(chunk: Buffer): void; sum(): string };

const MASK = (1n << 128n) - 1n;

export function makeLineSum(): LineSum {
  let total = 0n;
  let cut: Buffer[] = [];
  const count = (line: Buffer): void => {
    const digest = createHash('sha256').update(line).digest();
    total = (total + (digest.readBigUInt64BE(0) << 64n) + digest.readBigUInt64BE(8)) & MASK;
  };
  return {
    add(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        const line = chunk.subarray(start, end);
        count(cut.length === 0 ? line : Buffer.concat([...cut, line]));
        cut = [];
        start = end + 1;
      }
      if (start < chunk.length) cut.push(Buffer.from(chunk.subarray(start)));
    },
    sum: () => total.toString(16),
  };
}
