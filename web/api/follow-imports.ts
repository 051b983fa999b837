// News of imports, over one stream for all that the page follows: a browser has six connections to a host.

import { type ImportNews, parseNews } from './import-news.ts';

/** Uploads that one stream tells of; the oldest are followed when others have ended. */
const MAX = 100;
/** Cards appear and go together. */
const PAUSE_MS = 20;

type Follower = (news: ImportNews) => void;

const followers = new Map<number, Set<Follower>>();
let stream: EventSource | undefined;
let isOpening = false;

const begun = new Set<(id: number) => void>();

/** Calls back with each import that a page begins to follow; returns how to stop. */
export function onFollowed(listener: (id: number) => void): () => void {
  begun.add(listener);
  return () => void begun.delete(listener);
}

/** Calls back with how far the import is, now and after every step until its end; returns how to stop. */
export function followImport(id: number, follower: Follower): () => void {
  const some = followers.get(id) ?? new Set();
  followers.set(id, some);
  some.add(follower);
  open();
  for (const listener of begun) listener(id);
  return () => {
    some.delete(follower);
    // The stream goes on about it until it is opened anew.
    if (some.size === 0 && followers.get(id) === some) followers.delete(id);
    if (followers.size === 0) open();
  };
}

function open(): void {
  if (isOpening) return;
  isOpening = true;
  window.setTimeout(() => {
    isOpening = false;
    stream?.close();
    stream = undefined;
    const ids = [...followers.keys()].sort((a, b) => b - a).slice(0, MAX);
    if (ids.length === 0) return;
    stream = new EventSource(`/api/v2/uploads/events?ids=${ids.join(',')}`);
    stream.addEventListener('progress', ({ data }: MessageEvent<string>) => told(parseNews(data)));
    stream.addEventListener('gone', ({ data }: MessageEvent<string>) =>
      forget((JSON.parse(data) as { id: number }).id),
    );
  }, PAUSE_MS);
}

function told(news: ImportNews | undefined): void {
  if (news === undefined) return;
  const { id, state } = news;
  const some = [...(followers.get(id) ?? [])];
  if (state === 'PROCESSED' || state === 'INVALID') forget(id);
  for (const follower of some) follower(news);
}

/** The server closes the stream when all have ended, and then it must not be opened again by the browser. */
function forget(id: number): void {
  const isMore = followers.size > MAX;
  followers.delete(id);
  if (followers.size === 0 || isMore) open();
}
