// What people say of items and hear about them: comments, ratings, following, notifications.

import type { FastifyInstance } from 'fastify';
import type { Collection } from '../operations/collection.ts';
import type { ApiContext } from '../operations/exchange.ts';
import { registerCommentPaths } from './comment-paths.ts';
import { registerFollowPaths } from './follow-paths.ts';
import { registerFollowSourcePaths } from './follow-source-paths.ts';
import { registerNotificationPaths } from './notification-paths.ts';
import { registerRatingPaths } from './rating-paths.ts';

export function registerSocial(app: FastifyInstance, context: ApiContext, resources: Collection): void {
  registerCommentPaths(app, context);
  registerRatingPaths(app, context);
  registerFollowPaths(app, context, resources);
  registerFollowSourcePaths(app, context);
  registerNotificationPaths(app, context);
}
