// Tests with programs that people work with, too large for every run: `npm run test:qgis`.

import base from '../../vitest.config.ts';

export default { ...base, test: { ...base.test, include: ['test/clients/**/*.client.ts'] } };
