// The built program with portal and map services as a process of its own, on a database of its own, for attacks over real connections. Its
// router's addresses are read from the same application in this process.

import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { makeSmtpMailer } from '../../src/portal/mail/smtp-mailer.ts';
import { mountMapServices } from '../../src/server/portal/mount-map-services.ts';
import { environment, type Program, start } from '../blackbox/program.ts';
import { openKit, type SentFile, type Upload } from '../feature/uploads/upload-kit.ts';
import { onEachEngine, type TestDatabase } from '../testkit/database.ts';
import { type MailServer, startMailServer } from '../testkit/mail-server.ts';
import {
  type AccountName,
  clientsOver,
  encodeRequest,
  type Portal,
  type PortalClients,
  type Send,
} from '../testkit/portal-client.ts';
import { PORTAL_SCHEMA } from '../testkit/portal-schema.ts';
import { freePort } from '../testkit/postgres-cluster.ts';
import { type Route, routesOf } from './route-table.ts';

export type BuiltPortal = PortalClients & {
  readonly program: Program;
  readonly url: string;
  readonly db: TestDatabase;
  readonly ids: Portal['ids'];
  readonly routes: readonly Route[];
  /** A port of this machine that its settings allow for services of others, as if it were on the internet. */
  readonly canary: number;
  /** Where its letters arrive. */
  readonly mail: MailServer;
  /** Sends files to the program and waits until it has imported them. */
  import(as: AccountName, files: readonly SentFile[], fields?: Readonly<Record<string, string>>): Promise<Upload>;
};

/** How large the content of an archive may be there. */
export const MAX_UNPACKED = 30_000_000;

export function onBuiltPortal(name: string, suite: (portal: () => BuiltPortal) => void): void {
  onEachEngine(name, { fixtures: PORTAL_SCHEMA, engines: ['postgres'] }, (db) => {
    let opened: (BuiltPortal & { close(): Promise<void> }) | undefined;
    beforeAll(async () => {
      opened = await open(db());
    });
    afterAll(async () => {
      await opened?.close();
    });
    suite(() => {
      if (opened === undefined) throw new Error('the program runs once the tests run');
      return opened;
    });
  });
}

async function open(db: TestDatabase): Promise<BuiltPortal & { close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'survest-attacked-'));
  const mail = await startMailServer();
  // Letters lead to an address that is known before the program listens.
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const canary = await freePort();
  const program = start(
    [],
    environment({
      'db-uri': db.uri ?? '',
      'data-dir': folder,
      'portal-host': '127.0.0.1',
      'portal-port': String(port),
      'public-url': url,
      'mail-url': mail.url,
      'mail-from': 'maps@example.org',
      registration: 'open',
      mcp: 'write',
      'client-registration': 'true',
      'remote-hosts': `allowed.example.org, 127.0.0.1:${canary}`,
      'remote-internal-hosts': `127.0.0.1:${port}`,
      'server-host': '127.0.0.1',
      'server-port': '0',
      'log-level': 'info',
      'import-max-unpacked': String(MAX_UNPACKED),
      // Nobody: a guesser on this machine is no proxy.
      'server-trusted-proxies': '',
    }),
  );
  await program.told('REST service listens on');
  // The kit brings an administrator of its own.
  await db.query(`update portal.account set username = 'first' where username = 'admin'`);
  const kit = await openKit(db, {
    services: mountMapServices,
    // For its addresses alone.
    agents: { mode: 'write', rest: () => Promise.reject(new Error('the kit has no REST service')) },
    workers: 0,
    mail: {
      mailer: makeSmtpMailer({ url: mail.url, from: 'maps@example.org', observe: () => {} }),
      publicUrl: url,
      registration: 'open',
    },
  });
  const routes = routesOf(kit.portal.app);
  const agent = new Agent({ keepAlive: true });
  return {
    program,
    url,
    db,
    ids: kit.portal.ids,
    routes,
    canary,
    mail,
    ...clientsOver(overHttp(url, agent)),
    async import(as, files, fields) {
      const reply = await kit.send(clientsOver(overHttp(url, agent)).as(as), files, fields);
      if (reply.status !== 201) throw new Error(`refused: ${reply.status} ${String(reply.body)}`);
      return kit.until(JSON.parse(String(reply.body)).upload_id);
    },
    async close() {
      agent.destroy();
      await kit.close();
      await program.stop();
      await mail.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The target goes as it is: a client that tidies it up would tidy the attack away. */
function overHttp(url: string, agent: Agent): Send {
  return (method, target, request) =>
    new Promise((resolve, reject) => {
      const { headers, payload } = encodeRequest(request);
      const length = payload === undefined ? {} : { 'content-length': String(payload.length) };
      const asking = { path: target, method, headers: { ...length, ...headers }, agent };
      const sent = httpRequest(url, asking, (reply) => {
        const parts: Buffer[] = [];
        reply.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
        reply.on('end', () =>
          resolve({
            status: reply.statusCode ?? 0,
            statusText: reply.statusMessage ?? '',
            headers: reply.headers,
            body: Buffer.concat(parts),
          }),
        );
      });
      sent.on('error', reject).end(payload);
    });
}
