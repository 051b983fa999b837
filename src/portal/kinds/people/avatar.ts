// A picture for accounts that have none: a head in a colour of its own.

import type { FastifyInstance } from 'fastify';

export function registerAvatar(app: FastifyInstance): void {
  app.get<{ Params: { file: string } }>('/avatar/:file', async (request, reply) => {
    const id = /^(\d{1,9})\.svg$/.exec(request.params.file)?.[1];
    if (id === undefined) return reply.code(404).send({ detail: 'Not found.' });
    return reply
      .type('image/svg+xml')
      .header('Cache-Control', 'public, max-age=86400')
      .header('Content-Security-Policy', "default-src 'none'; style-src 'none'; sandbox")
      .send(avatar(Number(id)));
  });
}

/** The golden angle keeps neighbours apart. */
function avatar(id: number): string {
  const hue = Math.round((id * 137.508) % 360);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240" width="240" height="240"><rect width="240" height="240" fill="hsl(${hue} 45% 42%)"/><circle cx="120" cy="92" r="46" fill="#fff" fill-opacity=".85"/><path d="M30 240a90 78 0 0 1 180 0z" fill="#fff" fill-opacity=".85"/></svg>`;
}
