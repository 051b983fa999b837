// An embed that could be several relationships: 300, with every one of them and the words to choose it.

import { expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { problem, useRest } from '../../testkit/use-rest.ts';

type Choice = readonly [cardinality: string, relationship: string, hint: string];

onEachEngine('ambiguous embeds', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  test.each<[target: string, origin: string, name: string, choices: readonly Choice[]]>([
    [
      '/orders?select=id,addresses(address)',
      'orders',
      'addresses',
      [
        [
          'many-to-one',
          'orders_billing_address_id_fkey using orders(billing_address_id) and addresses(id)',
          'addresses!orders_billing_address_id_fkey',
        ],
        ['many-to-one', 'shipping using orders(shipping_address_id) and addresses(id)', 'addresses!shipping'],
      ],
    ],
    [
      '/addresses?select=id,orders(id)',
      'addresses',
      'orders',
      [
        [
          'one-to-many',
          'orders_billing_address_id_fkey using addresses(id) and orders(billing_address_id)',
          'orders!orders_billing_address_id_fkey',
        ],
        ['one-to-many', 'shipping using addresses(id) and orders(shipping_address_id)', 'orders!shipping'],
      ],
    ],
    [
      '/message?select=id,person(name)',
      'message',
      'person',
      [
        [
          'many-to-one',
          'message_recipient_fkey using message(recipient) and person(id)',
          'person!message_recipient_fkey',
        ],
        ['many-to-one', 'message_sender_fkey using message(sender) and person(id)', 'person!message_sender_fkey'],
      ],
    ],
    [
      '/sites?select=name,big_projects(name)',
      'sites',
      'big_projects',
      [
        [
          'many-to-one',
          'main_project using sites(main_project_id) and big_projects(big_project_id)',
          'big_projects!main_project',
        ],
        [
          'many-to-many',
          'jobs using jobs_site_id_fkey(site_id) and jobs_big_project_id_fkey(big_project_id)',
          'big_projects!jobs',
        ],
        [
          'many-to-many',
          'main_jobs using main_jobs_site_id_fkey(site_id) and main_jobs_big_project_id_fkey(big_project_id)',
          'big_projects!main_jobs',
        ],
      ],
    ],
    [
      '/organizations?select=name,organizations(name)',
      'organizations',
      'organizations',
      [
        [
          'one-to-many',
          'organizations_auditor_fkey using organizations(id) and organizations(auditor)',
          'organizations!organizations_auditor_fkey',
        ],
        [
          'one-to-many',
          'organizations_referee_fkey using organizations(id) and organizations(referee)',
          'organizations!organizations_referee_fkey',
        ],
      ],
    ],
    // The same base column shown twice by a view: the names of the keys repeat.
    [
      '/projects_twice?select=id,clients(name)',
      'projects_twice',
      'clients',
      [
        [
          'many-to-one',
          'projects_client_id_fkey using projects_twice(client_id) and clients(id)',
          'clients!projects_client_id_fkey',
        ],
        [
          'many-to-one',
          'projects_client_id_fkey using projects_twice(payer_id) and clients(id)',
          'clients!projects_client_id_fkey',
        ],
      ],
    ],
  ])('%s', async (target, origin, name, choices) => {
    expect(await rest.get(target)).toMatchReply({
      status: 300,
      headers: { 'content-type': 'application/json; charset=utf-8', 'proxy-status': 'Survest; error=SVRST201' },
      json: problem(
        'SVRST201',
        `Could not embed because more than one relationship was found for '${origin}' and '${name}'`,
        choices.map(([cardinality, relationship]) => ({
          cardinality,
          embedding: `${origin} with ${name}`,
          relationship,
        })),
        `Try changing '${name}' to one of the following: ${choices.map(([, , hint]) => `'${hint}'`).join(', ')}. Find the desired relationship in the 'details' key.`,
      ),
    });
  });

  test('a hint that fits several is still ambiguous', async () => {
    expect(await rest.get('/orders?select=id,addresses!id(address)')).toMatchReply({
      status: 300,
      json: expect.objectContaining({ code: 'SVRST201' }),
    });
  });

  test('inside an embed the origin is the table of that embed', async () => {
    expect(await rest.get('/big_projects?select=name,sites!main_project(name,big_projects(name))')).toMatchReply({
      status: 300,
      json: expect.objectContaining({
        message: "Could not embed because more than one relationship was found for 'sites' and 'big_projects'",
      }),
    });
  });

  test.each([
    '/orders?select=id,addresses!orders_billing_address_id_fkey(address)',
    '/orders?select=id,addresses!shipping(address)',
    '/message?select=id,person!message_recipient_fkey(name)',
    '/sites?select=name,big_projects!jobs(name)',
    '/organizations?select=name,organizations!organizations_auditor_fkey(name)',
    '/posters?select=name,subscriptions!subscriptions_subscribed_fkey(*)',
  ])('the suggested names work: %s', async (target) => {
    expect(await rest.get(target)).toMatchReply({ status: 200 });
  });
});
