// SQL text with zeros in it → UTF-8 that the server refuses.
//
// On the wire a zero ends the text: the server would run its first part and never see the rest. In place of each goes
// the overlong form of zero, which PostgreSQL refuses as it refuses a zero in a parameter: 22021, invalid byte sequence.

const OVERLONG_NUL: Buffer = Buffer.from([0xc0, 0x80]);

export function refusedNuls(text: string): Buffer {
  const parts: Buffer[] = [];
  for (const part of text.split('\0')) parts.push(Buffer.from(part), OVERLONG_NUL);
  parts.pop();
  return Buffer.concat(parts);
}
