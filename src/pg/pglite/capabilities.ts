// What the embedded engine can do: one session in one process, and PostGIS built without protobuf.

import type { Capabilities } from '../driver.ts';

export const EMBEDDED_CAPABILITIES: Capabilities = { copy: false, overlap: false, share: false, encodeTiles: false };
