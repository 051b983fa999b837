// Server-sent events as text (the HTML standard's event stream format).

/** One line of `data:` for each line of the text: a JSON value may have been stored with line breaks in it. */
export function eventText(name: string, data: string, id?: string): string {
  const lines = data.includes('\n') || data.includes('\r') ? data.split(/\r\n|\r|\n/).join('\ndata: ') : data;
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${lines}\n\n`;
}

export const HEARTBEAT: Buffer = Buffer.from(':\n\n');

/** How long a client waits before it comes back. */
export function retryText(ms: number): string {
  return `retry: ${ms}\n\n`;
}
