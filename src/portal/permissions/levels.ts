/** What somebody may do with an item, in one word. */
export const LEVELS = ['none', 'view', 'download', 'edit', 'manage', 'owner'] as const;
