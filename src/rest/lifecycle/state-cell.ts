// The one mutable reference to the state in force. Whoever answers reads it once; whoever loads swaps it.

import type { RestState } from '../pipeline/state.ts';

export type StateCell = { current: RestState };
