// Who asks, told to the log.

import type { IncomingMessage } from 'node:http';
import { type Caller, roleOf } from '../../auth/caller.ts';
import { notesOf } from '../../http/request-notes.ts';

export function noteCaller(request: IncomingMessage, caller: Caller): void {
  const notes = notesOf(request);
  notes.role = roleOf(caller);
  if (caller.kind === 'account') notes.account = { id: caller.id, name: caller.username };
}
