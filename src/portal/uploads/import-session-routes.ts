// An upload as the map server's import session: `/mapserver/rest/imports/{id}`, its tasks, and how far they are.

import type { FastifyInstance } from 'fastify';
import { err, ok } from '../../kernel/result.ts';
import { objects } from '../../pg/rows.ts';
import type { PortalContext } from '../portal-context.ts';
import { findRun } from './import-run.ts';
import { first, statement } from './service-transaction.ts';
import { foundUpload, type Handled, type UploadAsk, type UploadRoute, wholeNumber } from './upload-ask.ts';
import { importReply } from './upload-replies.ts';
import { findUpload } from './upload-store.ts';

export function registerImportSessions(scope: FastifyInstance, portal: PortalContext, route: UploadRoute): void {
  const { db } = portal;
  const importSession = (view: (session: Record<string, unknown>, ask: UploadAsk) => Handled) =>
    route(async (ask) => {
      const { importId } = ask.request.params as { readonly importId?: string };
      const number = wholeNumber(importId);
      if (number === undefined) return err({ kind: 'not-found' });
      const upload = foundUpload(await findUpload(db, ask.caller, ask.info, { importId: number }));
      if (!upload.ok) return upload;
      const run = await findRun(db, upload.value.id);
      if (!run.ok) return err({ kind: 'database', error: run.error });
      const layers = await db.read(ask.caller, ask.info, [
        {
          ...statement(
            `select r.id, r.name, r.title, r.srid as srs from portal.upload_layer l join portal.resource r on r.id = l.resource_id
              where l.upload_id = $1 order by r.id`,
            String(upload.value.id),
          ),
          describe: true,
        },
      ]);
      if (!layers.ok) return err({ kind: 'database', error: layers.error });
      const session = importReply(upload.value, run.value, objects(first(layers.value)), portal.baseUrl(ask.request));
      return view(session, ask);
    });

  scope.get(
    '/mapserver/rest/imports/:importId',
    importSession((session) => ok({ status: 200, body: { import: session } })),
  );
  scope.get(
    '/mapserver/rest/imports/:importId/tasks/:task',
    importSession((session, ask) => taskOf(session, ask)),
  );
  scope.get(
    '/mapserver/rest/imports/:importId/tasks/:task/progress',
    importSession((session, ask) => {
      const task = taskOf(session, ask);
      if (!task.ok) return task;
      const { task: body } = task.value.body as {
        readonly task: { readonly state: unknown; readonly share: unknown };
      };
      return ok({ status: 200, body: { progress: body.share, total: 1, state: body.state } });
    }),
  );
}

function taskOf(session: Record<string, unknown>, { request }: UploadAsk): Handled {
  const { task } = request.params as { readonly task?: string };
  const found = (session['tasks'] as readonly { readonly id: number }[]).find(({ id }) => String(id) === task);
  return found === undefined ? err({ kind: 'not-found' }) : ok({ status: 200, body: { task: found } });
}
