// Applications that may send people here to sign in: listed, registered and removed by administrators.
//
//   POST /account/clients  {"client_name": "Field app", "redirect_uris": ["https://app.example.org/back"]}
//
// makes a public client (PKCE, no secret); with "confidential": true one with a secret, shown in this answer only.

import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { ClientMetadata, Provider } from 'oidc-provider';
import { policyOrigin } from '../../kernel/policy-origin.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { objects } from '../../pg/rows.ts';
import { type Asked, accountRoute, accountRow, type Handled } from '../accounts/account-route.ts';
import { membersOf, textFields } from '../accounts/body-fields.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { PortalContext } from '../portal-context.ts';
import { hashSecret, newClientSecret } from './client-secret.ts';
import { makeOidcStore } from './oidc-adapter.ts';
import type { Providers } from './providers.ts';

type NewClient = { readonly name: string; readonly redirectUris: readonly string[]; readonly confidential: boolean };

export function registerClientRoutes(app: FastifyInstance, context: PortalContext, providers: Providers): void {
  const { db, baseUrl } = context;
  const store = makeOidcStore(db, 'Client');

  /** Whether the caller is an administrator, is for the database to say. */
  const adminRoute = <Params>(handle: (asked: Asked<Params>) => Handled) =>
    accountRoute<Params>(context, async (asked) => {
      const told = await accountRow(context, asked, 'read', 'select portal.is_admin()');
      if (!told.ok) return told;
      return told.value?.[0]?.toString() === 't' ? handle(asked) : err({ kind: 'forbidden' });
    });

  app.get(
    '/account/clients',
    adminRoute(async ({ reply }) => {
      const listed = await db.service([
        { text: `select id, payload from portal.oidc_list('Client')`, params: [], describe: true },
      ]);
      if (!listed.ok) return err({ kind: 'database', error: listed.error });
      const [rows] = listed.value;
      const clients = rows === undefined ? [] : objects<{ id: string; payload: ClientMetadata }>(rows);
      return ok(reply.send({ clients: clients.map(({ payload }) => shown(payload)) }));
    }),
  );

  app.post(
    '/account/clients',
    adminRoute(async ({ request, reply }) => {
      const asked = parseClient(request.body);
      if (!asked.ok) return asked;
      const secret = asked.value.confidential ? newClientSecret() : undefined;
      const metadata = metadataOf(asked.value, secret);
      const complaint = await complaintAbout(providers(baseUrl(request)), metadata);
      if (complaint !== undefined) return err({ kind: 'invalid-fields', fields: { redirect_uris: [complaint] } });
      await store.upsert(metadata.client_id, metadata);
      return ok(
        reply.code(201).send({ ...shown(metadata), ...(secret === undefined ? {} : { client_secret: secret }) }),
      );
    }),
  );

  app.delete(
    '/account/clients/:id',
    adminRoute<{ id: string }>(async ({ request, reply }) => {
      if ((await store.find(request.params.id)) === undefined) return err({ kind: 'not-found' });
      await store.destroy(request.params.id);
      return ok(reply.code(204).send());
    }),
  );
}

function parseClient(body: unknown): Result<NewClient, PortalError> {
  const name = textFields(body, ['client_name']);
  if (!name.ok) return name;
  const { redirect_uris: uris, confidential = false } = membersOf(body);
  if (!Array.isArray(uris) || uris.length === 0 || !uris.every((uri) => typeof uri === 'string')) {
    return err({ kind: 'invalid-fields', fields: { redirect_uris: ['Expected a list of addresses, at least one.'] } });
  }
  if (typeof confidential !== 'boolean') {
    return err({ kind: 'invalid-fields', fields: { confidential: ['Must be a valid boolean.'] } });
  }
  return ok({ name: name.value.client_name.slice(0, 200), redirectUris: uris, confidential });
}

type Registered = ClientMetadata & { readonly client_id: string };

export function metadataOf({ name, redirectUris, confidential }: NewClient, secret: string | undefined): Registered {
  return {
    client_id: randomBytes(16).toString('base64url'),
    client_name: name,
    redirect_uris: [...redirectUris],
    application_type: redirectUris.every((uri) => /^https?:/i.test(uri)) ? 'web' : 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: confidential ? 'client_secret_basic' : 'none',
    ...(secret === undefined ? {} : { client_secret: hashSecret(secret) }),
  };
}

/** The library knows the rules; its sentence is for the one who registers. The pages that ask for consent name the address in their policy. */
export async function complaintAbout(provider: Provider, metadata: Registered): Promise<string | undefined> {
  const unnamed = metadata.redirect_uris?.find((uri) => /^https?:/i.test(uri) && policyOrigin(uri) === undefined);
  if (unnamed !== undefined) return `redirect_uris hold ${unnamed.slice(0, 200)}, whose host is no name of a host.`;
  try {
    await provider.Client.validate(metadata);
    return undefined;
  } catch (error) {
    const said = membersOf(error)['error_description'];
    return typeof said === 'string' ? said : 'These addresses cannot be used.';
  }
}

function shown({
  client_id,
  client_name,
  redirect_uris,
  token_endpoint_auth_method,
}: ClientMetadata): Record<string, unknown> {
  return { client_id, client_name, redirect_uris, confidential: token_endpoint_auth_method !== 'none' };
}
