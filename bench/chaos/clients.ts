// The load of a chaos run: people who write, delete, upload, read and dawdle, through whichever copy is there. Every write is in the book, as acknowledged or as
// never answered; a write that was refused was not made.

import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Book } from './book.ts';
import { type Crew, PASSWORD } from './crew.ts';

const BASIC = { Authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}` };
const JSON_BODY = { ...BASIC, 'Content-Type': 'application/json' };
const REQUEST_MS = 60_000;
const ROWS = 300;

type Reply = { readonly status: number; readonly text: string };

export type Clients = {
  /** The layer that features are added to. */
  prepare(): Promise<void>;
  start(): { stop(): Promise<void> };
  /** Waits until every upload has ended; names those that have not. */
  settle(seconds: number): Promise<readonly string[]>;
  /** What differs between the book and what the portal answers now. */
  compare(): Promise<readonly string[]>;
};

export function makeClients({ urls }: Crew, book: Book): Clients {
  let serial = 0;
  let layer = '';
  const nextName = (kind: string): string => {
    serial += 1;
    return `${kind}${serial}`;
  };

  /** Undefined: nobody knows what became of it. */
  async function ask(what: string, target: string, init: RequestInit = {}): Promise<Reply | undefined> {
    const url = urls[Math.floor(Math.random() * urls.length)] ?? '';
    try {
      const reply = await fetch(url + target, { headers: BASIC, ...init, signal: AbortSignal.timeout(REQUEST_MS) });
      const text = await reply.text();
      book.answered(`${what} ${reply.status}`);
      return { status: reply.status, text };
    } catch (error) {
      const code = (error as { cause?: { code?: string } }).cause?.code;
      book.answered(`${what} ${code === 'ECONNREFUSED' ? 'refused' : 'broken off'}`);
      // Nothing was sent: it was not made.
      return code === 'ECONNREFUSED' ? { status: 0, text: '' } : undefined;
    }
  }

  /** 5xx in the middle of a fault may come after the commit; 503 and 507 do as well, so only what is plainly refused counts as not made. */
  const isOpen = (reply: Reply | undefined): boolean => reply === undefined || reply.status >= 500;

  async function writeMap(): Promise<void> {
    const title = nextName('map');
    const body = JSON.stringify({ title, zoom: 3, projection: 'EPSG:3857', center_x: 0, center_y: 0 });
    const reply = await ask('map', '/api/v2/maps/', { method: 'POST', headers: JSON_BODY, body });
    if (reply?.status === 201) book.acknowledge('map', title, String(JSON.parse(reply.text).map.pk));
    else if (isOpen(reply)) book.leaveOpen('map', title);
  }

  async function deleteMap(): Promise<void> {
    const known = [...book.of('map')].filter(
      ([name]) => !book.of('deletion').has(name) && !book.openOf('deletion').has(name),
    );
    const [title, pk] = known[Math.floor(Math.random() * known.length)] ?? [];
    if (title === undefined) return;
    // Before it is sent: another client must not choose it as well.
    book.leaveOpen('deletion', title);
    const reply = await ask('deletion', `/api/v2/maps/${pk}/`, { method: 'DELETE' });
    if (reply?.status === 204) book.acknowledge('deletion', title);
    if (!isOpen(reply)) book.close('deletion', title);
  }

  async function writeFeature(): Promise<void> {
    const name = nextName('feature');
    const body = JSON.stringify({
      type: 'Feature',
      properties: { name },
      geometry: { type: 'Point', coordinates: [Math.random() * 10, Math.random() * 10] },
    });
    const headers = { ...BASIC, 'Content-Type': 'application/geo+json' };
    const reply = await ask('feature', `/ogc/collections/${layer}/items`, { method: 'POST', headers, body });
    if (reply?.status === 201) book.acknowledge('feature', name);
    else if (isOpen(reply)) book.leaveOpen('feature', name);
  }

  async function writeDocument(): Promise<void> {
    const title = nextName('document');
    const content = title.repeat(1000 + Math.floor(Math.random() * 20_000));
    const form = new FormData();
    form.set('title', title);
    form.set('doc_file', new Blob([content]), `${title}.txt`);
    const reply = await ask('document', '/api/v2/documents/', { method: 'POST', body: form });
    if (reply?.status === 201)
      book.acknowledge('document', title, `${JSON.parse(reply.text).document.pk} ${content.length}`);
    else if (isOpen(reply)) book.leaveOpen('document', title);
  }

  async function upload(name: string): Promise<Reply | undefined> {
    const features = Array.from({ length: ROWS }, (_, i) => ({
      type: 'Feature',
      properties: { name: `${name} ${i}` },
      geometry: { type: 'Point', coordinates: [i / 100, i / 100] },
    }));
    const form = new FormData();
    form.set('base_file', new Blob([JSON.stringify({ type: 'FeatureCollection', features })]), `${name}.geojson`);
    return ask('upload', '/api/v2/uploads/upload', { method: 'POST', body: form });
  }

  async function writeUpload(): Promise<void> {
    const name = nextName('upload');
    const reply = await upload(name);
    if (reply?.status === 201) book.acknowledge('upload', name, String(JSON.parse(reply.text).id));
    else if (isOpen(reply)) book.leaveOpen('upload', name);
  }

  /** Sends half a request, or takes nothing of an answer, for a while. */
  async function dawdle(): Promise<void> {
    const { hostname, port } = new URL(urls[0] ?? '');
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(`GET /api/v2/resources/?page_size=100 HTTP/1.1\r\nHost: x\r\n${Math.random() < 0.5 ? '' : '\r\n'}`);
    socket.pause();
    await pause(2000 + Math.random() * 4000);
    socket.destroy();
    book.answered('slow client');
  }

  const readers: readonly (() => Promise<unknown>)[] = [
    () => ask('list', '/api/v2/resources/?page_size=20'),
    () => ask('tile', `/tiles/${layer}/0/0/0.pbf`),
    () => ask('features', `/ogc/collections/${layer}/items?limit=50`),
    () =>
      ask(
        'map picture',
        `/wms?service=WMS&version=1.3.0&request=GetMap&layers=${layer}&styles=&crs=EPSG:4326&bbox=-1,-1,11,11&width=200&height=200&format=image/png`,
      ),
    () => ask('rest', `/rest/v1/${layer.replace(/^\w+:/, '')}?limit=10`),
  ];

  async function waitForUpload(id: string, until: number): Promise<string> {
    for (;;) {
      const reply = await ask('progress', `/api/v2/uploads/${id}/`);
      const upload = reply?.status === 200 ? JSON.parse(reply.text).upload : undefined;
      if (upload?.state === 'INVALID') return `INVALID: ${upload.detail ?? JSON.stringify(upload)}`;
      if (['PROCESSED', 'WAITING'].includes(upload?.state) || performance.now() > until) return upload?.state ?? '?';
      await pause(500);
    }
  }

  /** As its owner would: what was refused for want of space is tried again when there is some. */
  async function endOfUpload(id: string, until: number): Promise<string> {
    const state = await waitForUpload(id, until);
    if (!/no space left/.test(state)) return state;
    await ask('upload tried again', `/api/v2/uploads/${id}/retry`, { method: 'POST' });
    return waitForUpload(id, until);
  }

  /** All names of a list, page by page. */
  async function namesOf(collection: string, member: string): Promise<ReadonlyMap<string, number>> {
    const names = new Map<string, number>();
    for (let page = 1; ; page += 1) {
      const reply = await ask('compare', `/api/v2/${collection}/?page_size=100&page=${page}&sort[]=pk`);
      if (reply?.status !== 200) return names;
      const records = JSON.parse(reply.text)[member] as { readonly title: string }[];
      for (const { title } of records) names.set(title, (names.get(title) ?? 0) + 1);
      if (records.length < 100) return names;
    }
  }

  return {
    async prepare() {
      const reply = await upload('ground');
      if (reply?.status !== 201) throw new Error(`the first upload was refused: ${reply?.status} ${reply?.text}`);
      const id = String(JSON.parse(reply.text).id);
      const state = await waitForUpload(id, performance.now() + 60_000);
      const found = await ask('layer', '/api/v2/layers/?search=ground');
      layer = String(JSON.parse(found?.text ?? '{}').layers?.[0]?.alternate ?? '');
      if (state !== 'PROCESSED' || layer === '')
        throw new Error(
          `the first upload ended as ${state}: ${JSON.parse((await ask('status', '/api/v2/status/'))?.text ?? '{}').failed_uploads?.[0]?.message}`,
        );
    },
    start() {
      let isOver = false;
      const loop = async (work: () => Promise<unknown>, restMs: number): Promise<void> => {
        while (!isOver) {
          await work();
          await pause(Math.random() * restMs);
        }
      };
      const read = (): Promise<unknown> => readers[Math.floor(Math.random() * readers.length)]?.() ?? Promise.resolve();
      const loops = [
        loop(writeMap, 100),
        loop(writeMap, 100),
        loop(deleteMap, 300),
        loop(writeFeature, 50),
        loop(writeFeature, 50),
        loop(writeDocument, 500),
        loop(writeUpload, 3000),
        loop(read, 50),
        loop(read, 50),
        loop(dawdle, 500),
        loop(dawdle, 500),
      ];
      return {
        async stop() {
          isOver = true;
          await Promise.all(loops);
        },
      };
    },
    async settle(seconds) {
      const until = performance.now() + seconds * 1000;
      const left: string[] = [];
      for (const [name, id] of book.of('upload')) {
        const state = await endOfUpload(id, until);
        if (state !== 'PROCESSED') left.push(`${name} was accepted, and is ${state}`);
      }
      return left;
    },
    async compare() {
      const wrong: string[] = [];
      const once = (kind: 'map' | 'document' | 'upload', there: ReadonlyMap<string, number>): void => {
        for (const name of book.of(kind).keys()) {
          const isDeleted = kind === 'map' && book.of('deletion').has(name);
          const maybeDeleted = kind === 'map' && book.openOf('deletion').has(name);
          const found = there.get(name) ?? 0;
          if (isDeleted ? found > 0 : found > 1 || (found === 0 && !maybeDeleted))
            wrong.push(`${name} is there ${found} times${isDeleted ? ', and was deleted' : ''}`);
        }
        for (const name of book.openOf(kind)) if ((there.get(name) ?? 0) > 1) wrong.push(`${name} is there twice`);
      };
      once('map', await namesOf('maps', 'maps'));
      once('document', await namesOf('documents', 'documents'));
      once('upload', await namesOf('layers', 'layers'));
      const features = new Map<string, number>();
      const reply = await ask('compare', `/download/${layer}.geojson`);
      const all = reply?.status === 200 ? (JSON.parse(reply.text).features as { properties: { name: string } }[]) : [];
      for (const { properties } of all) features.set(properties.name, (features.get(properties.name) ?? 0) + 1);
      for (const name of book.of('feature').keys())
        if (features.get(name) !== 1) wrong.push(`${name} is there ${features.get(name) ?? 0} times`);
      for (const name of book.openOf('feature'))
        if ((features.get(name) ?? 0) > 1) wrong.push(`${name} is there ${features.get(name)} times`);
      for (const [title, value] of book.of('document')) {
        const [pk = '', length = ''] = value.split(' ');
        const file = await ask('compare', `/api/v2/documents/${pk}/download`);
        if (file?.status !== 200 || file.text !== title.repeat(Number(length) / title.length))
          wrong.push(`the file of ${title} is not what was sent (${file?.status})`);
      }
      return wrong;
    },
  };
}
