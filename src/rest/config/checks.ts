// What must hold between settings of the REST service that are each right by themselves.

import { parseJwksUrl } from '../../auth/jwks-url.ts';
import { loadKeys } from '../../auth/keys.ts';
import type { Check } from '../../kernel/options/load.ts';
import type { RestConfig } from './config.ts';
import { restOptions } from './rest-options.ts';

/** Port 0 is any free port, so two of them do not meet. */
const portsDiffer: Check<RestConfig> = ({ adminServerPort, serverPort }) =>
  adminServerPort !== undefined && adminServerPort !== 0 && adminServerPort === serverPort
    ? [
        {
          option: 'admin-server-port',
          involves: ['server-port'],
          complaint: 'admin-server-port cannot be the same as server-port',
          accepts: `any port but ${serverPort}`,
        },
      ]
    : [];

/** The key itself is made by the service; here it is only seen that one can be made, before anything starts. */
const secretIsUsable: Check<RestConfig> = ({ jwtSecret, jwtSecretIsBase64 }) => {
  if (jwtSecret === undefined) return [];
  const address = jwtSecretIsBase64 ? undefined : parseJwksUrl(jwtSecret);
  const keys = address ?? loadKeys(jwtSecret, { isBase64: jwtSecretIsBase64 });
  if (keys.ok) return [];
  const option = restOptions.jwtSecret;
  return [
    {
      option: option.name,
      involves: [restOptions.jwtSecretIsBase64.name],
      complaint: keys.error.message,
      accepts: option.type.accepts,
    },
  ];
};

export const REST_CHECKS: readonly Check<RestConfig>[] = [portsDiffer, secretIsUsable];
