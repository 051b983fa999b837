// News of an upload as server-sent events: its state at once, then after every step, until it has come to an end.

import type { FastifyReply } from 'fastify';
import type { UploadWatch } from './upload-watch.ts';

type News = Record<string, unknown> | 'gone' | 'unknown';

/** Proxies close lines on which nothing is said. */
const SILENCE_MS = 15_000;
/** News come in bursts. */
const PACE_MS = 200;
const ENDS: ReadonlySet<unknown> = new Set(['PROCESSED', 'INVALID']);

export function streamEvents(
  reply: FastifyReply,
  watch: UploadWatch,
  id: number,
  read: () => Promise<News>,
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
  let last = '';
  let isReading = false;
  let isAsked = false;
  let isOver = false;
  let beat: NodeJS.Timeout | undefined;
  let unfollow = (): void => {};
  const finish = (): void => {
    if (isOver) return;
    isOver = true;
    unfollow();
    clearInterval(beat);
    raw.end();
  };
  const tell = async (): Promise<void> => {
    isAsked = true;
    if (isReading || isOver) return;
    isReading = true;
    while (isAsked && !isOver) {
      isAsked = false;
      const news = await read();
      if (isOver) break;
      if (news === 'gone') {
        raw.write('event: gone\ndata: {}\n\n');
        finish();
      } else if (news !== 'unknown') {
        const text = JSON.stringify(news);
        if (text !== last) raw.write(`event: progress\ndata: ${text}\n\n`);
        last = text;
        if (ENDS.has(news['state'])) finish();
      }
      if (!isOver) await new Promise((resolve) => setTimeout(resolve, PACE_MS));
    }
    isReading = false;
  };
  unfollow = watch.follow(id, () => void tell().catch(finish), finish);
  beat = setInterval(() => {
    raw.write(':\n\n');
    void tell().catch(finish);
  }, SILENCE_MS);
  raw.once('close', finish);
  // The program was about to stop already.
  if (isOver) clearInterval(beat);
  void tell().catch(finish);
  return reply;
}
