// Text that the database wants in the head of a reply. Node refuses what is not legal there with an exception, and what is
// legal for Node may still break the message apart; both are settled here, before anything is written.

/** A status that ends a request: 1xx does not, and nothing is defined from 600 on. */
export function isFinalStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 599;
}

/** Such replies have no body, whatever we would say. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

const MAX_REASON_LENGTH = 200;

/** The text as a reason phrase, or undefined when it is none: then the usual phrase of the status is sent. */
export function reasonPhrase(text: string): string | undefined {
  return text.length <= MAX_REASON_LENGTH && /^[\x20-\x7e]+$/.test(text) ? text : undefined;
}

export function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
}

/** Tab and everything printable; above all no CR, LF or NUL. */
export function isHeaderValue(value: string): boolean {
  return !/[^\t\x20-\x7e\u0080-\uffff]/.test(value);
}

/** Node writes header text as Latin-1 (as long as the body is bytes, too); this makes those bytes the UTF-8 of the text. */
export function headerBytes(value: string): string {
  return /^[\t\x20-\x7e]*$/.test(value) ? value : Buffer.from(value, 'utf8').toString('latin1');
}

const OF_THE_SERVER: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers that say where a message ends and how the connection goes on: never the database's to set. */
export function belongsToServer(name: string): boolean {
  return OF_THE_SERVER.has(name.toLowerCase());
}
