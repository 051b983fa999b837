// Writes docs/configuration.md from the built program. `npm run bless` does the same from the sources.

import { writeFileSync } from 'node:fs';
import { configurationPage } from '../dist/server/cli/configuration-page.js';

writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationPage());
