// Who has written or done something, as comments and notifications show them.

import { INTEGER, record, type Schema, TEXT } from '../description/schema.ts';

export const AUTHOR: Schema = record({ pk: INTEGER, username: TEXT, first_name: TEXT, last_name: TEXT });
