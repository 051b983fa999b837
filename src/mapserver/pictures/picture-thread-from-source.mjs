// The thread that draws, from its sources: where the program is not compiled (tests, `npm run dev`), a thread needs the TypeScript loader.

import { register } from 'tsx/esm/api';

register();
await import('./picture-thread.ts');
