// Server-sent events out of text that comes in pieces: what EventSource does, for streams that need a header of their own.

export type StreamEvent = { readonly name: string; readonly data: string; readonly id: string | undefined };

/** Takes the pieces in their order, and gives the events that each of them completes. */
export function makeEventReader(): (piece: string) => readonly StreamEvent[] {
  let rest = '';
  return (piece) => {
    // What was looked through is not looked through again, however long an event is.
    let looked = Math.max(0, rest.length - 1);
    rest += piece;
    const events: StreamEvent[] = [];
    let from = 0;
    for (let end = rest.indexOf('\n\n', looked); end >= 0; end = rest.indexOf('\n\n', looked)) {
      const event = eventOf(rest.slice(from, end).split('\n'));
      if (event !== undefined) events.push(event);
      from = end + 2;
      looked = from;
    }
    rest = rest.slice(from);
    return events;
  };
}

/** Undefined: a comment, or something that is no event. */
function eventOf(lines: readonly string[]): StreamEvent | undefined {
  let name = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of lines) {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (field === 'event') name = value;
    else if (field === 'id') id = value;
    else if (field === 'data') data.push(value);
  }
  return data.length === 0 ? undefined : { name, data: data.join('\n'), id };
}
