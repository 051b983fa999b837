import type { Extension } from '@electric-sql/pglite';

export function postgisIn(folder: string): Extension;
