// Which pages of other origins may ask what of the service.

import type { CorsRules } from '../../http/cors.ts';
import { SPEAKS_QUERY } from '../../http/query-method.ts';
import type { RestConfig } from '../config/config.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', ...(SPEAKS_QUERY ? ['QUERY'] : [])];
const EXPOSED = [
  'Access-Explanation',
  'Consistency-Token',
  'Content-Encoding',
  'Content-Location',
  'Content-Range',
  'Content-Type',
  'Date',
  'Link',
  'Location',
  'Next-Cursor',
  'Preference-Applied',
  'Proxy-Status',
  'Server',
  'Transfer-Encoding',
  'Range-Unit',
  'X-Request-Id',
];

export function corsRules({ serverCorsAllowedOrigins }: RestConfig): CorsRules {
  return { allowedOrigins: serverCorsAllowedOrigins, methods: METHODS, exposed: EXPOSED };
}
