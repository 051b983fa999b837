// The portal within the memory budget of the process (`server-max-memory`).

import type { RequestListener } from 'node:http';
import type { MemoryBudget } from '../http/memory-budget.ts';
import { noteCause } from '../http/request-notes.ts';

/** Answers of the portal are of many makes: a request waits until there is room, and does not begin where there is none. */
export function withBudget(handler: RequestListener, budget: MemoryBudget): RequestListener {
  return (request, response) => {
    if (budget.hasRoom) {
      handler(request, response);
      return;
    }
    void budget
      .take(0, () => !response.destroyed)
      .then((hasRoom) => {
        if (response.destroyed) return;
        if (hasRoom) handler(request, response);
        else {
          noteCause(request, 'server-max-memory is in use');
          response.writeHead(503, { 'Retry-After': '5', 'Content-Type': 'application/json' });
          response.end(
            '{"success":false,"errors":["The server is using all the memory it is allowed. Try again later."],"code":"memory_full"}',
          );
        }
      });
  };
}
