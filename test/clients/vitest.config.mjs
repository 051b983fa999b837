// Tests with programs that people work with, too large for every run: `npm run test:qgis`.

import base from '../../vitest.config.ts';

const { projects: _everyOther, ...settings } = base.test;

export default {
  ...base,
  test: {
    ...settings,
    include: ['test/clients/**/*.client.ts'],
    globalSetup: ['test/testkit/global-setup.ts'],
  },
};
