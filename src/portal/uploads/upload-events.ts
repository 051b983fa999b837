// News of uploads as server-sent events, one stream for as many as somebody follows: the state of each at once, then after every step,
// until all of them have come to an end. A browser has six connections to a host: a stream for each would use them up.

import type { FastifyReply } from 'fastify';
import type { UploadWatch } from './upload-watch.ts';

/** By the ids that were asked for; one that is missing is gone. Undefined: nobody knows just now. */
export type UploadNews = ReadonlyMap<number, Record<string, unknown>> | undefined;

/** Proxies close lines on which nothing is said. */
const SILENCE_MS = 15_000;
/** News come in bursts. */
const PACE_MS = 200;
const ENDS: ReadonlySet<unknown> = new Set(['PROCESSED', 'INVALID']);

export function streamEvents(
  reply: FastifyReply,
  watch: UploadWatch,
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<UploadNews>,
): FastifyReply {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    Connection: 'keep-alive',
    // nginx would keep it until there is more.
    'X-Accel-Buffering': 'no',
  });
  /** What was told last of each that has not come to its end. */
  const last = new Map(ids.map((id) => [id, '']));
  const due = new Set<number>();
  const unfollow: (() => void)[] = [];
  let isReading = false;
  let isOver = false;
  let beat: NodeJS.Timeout | undefined;
  const finish = (): void => {
    if (isOver) return;
    isOver = true;
    for (const stop of unfollow) stop();
    clearInterval(beat);
    raw.end();
  };
  const tell = (id: number, news: Record<string, unknown> | undefined): void => {
    const text = JSON.stringify(news ?? { id });
    if (news === undefined) raw.write(`event: gone\ndata: ${text}\n\n`);
    else if (text !== last.get(id)) raw.write(`event: progress\ndata: ${text}\n\n`);
    if (news === undefined || ENDS.has(news['state'])) last.delete(id);
    else last.set(id, text);
  };
  const tellDue = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    while (due.size > 0 && !isOver) {
      const asked = [...due].filter((id) => last.has(id));
      due.clear();
      const news = asked.length === 0 ? undefined : await read(asked);
      if (isOver) break;
      if (news !== undefined) for (const id of asked) tell(id, news.get(id));
      if (last.size === 0) finish();
      else await new Promise((resolve) => setTimeout(resolve, PACE_MS));
    }
    isReading = false;
  };
  const look = (some: Iterable<number>): void => {
    for (const id of some) due.add(id);
    void tellDue().catch(finish);
  };
  for (const id of ids) {
    // The program is about to stop.
    if (isOver) break;
    unfollow.push(watch.follow(id, () => look([id]), finish));
  }
  beat = setInterval(() => {
    raw.write(':\n\n');
    look(last.keys());
  }, SILENCE_MS);
  raw.once('close', finish);
  // The program was about to stop already.
  if (isOver) clearInterval(beat);
  look(ids);
  return reply;
}
