// The order of the test files: those that take longest begin, so that none of them runs alone at the end; then as vitest has it.
// Which they are is known beforehand, because a fresh checkout has measured nothing yet. With `--sequence.shuffle` it is random.

import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** From the longest down; a name that is missing costs some idle seconds, nothing else. */
const LONGEST: readonly string[] = [
  'test/browser/pages.test.ts',
  'src/mapserver/import/importer.test.ts',
  'test/browser/journey.test.ts',
  'test/browser/trust.test.ts',
  'test/feature/embedded-database.test.ts',
  'test/blackbox/older-postgres.test.ts',
  'test/feature/uploads/kill.test.ts',
  'src/mapserver/import/hostile-files.test.ts',
  'test/feature/uploads/outcomes.test.ts',
  'test/feature/uploads/kill-embedded.test.ts',
  'test/blackbox/copies.test.ts',
  'test/browser/keyboard.test.ts',
  'test/attacks/built-program.test.ts',
  'test/feature/uploads/bad-input.test.ts',
  'test/package/installed.test.ts',
  'test/feature/portal/access-matrix.test.ts',
  'test/feature/portal/openapi.test.ts',
  'test/feature/portal/permissions.test.ts',
  'test/blackbox/backup.test.ts',
  'test/feature/portal/hostile.test.ts',
  'test/browser/accounts.test.ts',
  'test/growth/parsers.test.ts',
  'test/access/permissions.test.ts',
  'test/feature/mapserver/wcs.test.ts',
  'test/blackbox/service-mode.test.ts',
  'test/fuzz/schemas.test.ts',
  'src/mapserver/downloads/convert.test.ts',
  'test/feature/portal/record-cache.test.ts',
  'test/feature/uploads/records-and-wishes.test.ts',
  'test/attacks/permissions-everywhere.test.ts',
  'test/feature/uploads/questions.test.ts',
  'test/feature/mapserver/links.test.ts',
  'test/clients/geonode-clients.test.ts',
  'test/feature/portal/statements.test.ts',
  'test/feature/uploads/commands.test.ts',
  'test/browser/social.test.ts',
  'test/browser/services.test.ts',
  'test/feature/mapserver/strange-layers.test.ts',
  'test/feature/backup/backup.test.ts',
];

export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence;
    if (shuffle !== true) return (await super.sort(files)).sort((a, b) => rank(a) - rank(b)).sort(byProject);
    const lot = ({ moduleId }: TestSpecification): string =>
      createHash('sha256')
        .update(`${seed} ${relative(this.ctx.config.root, moduleId)}`)
        .digest('hex');
    const lots = new Map(files.map((file) => [file, lot(file)]));
    return files.sort((a, b) => ((lots.get(a) ?? '') < (lots.get(b) ?? '') ? -1 : 1)).sort(byProject);
  }
}

function rank({ moduleId }: TestSpecification): number {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`));
  return at < 0 ? LONGEST.length : at;
}

/** A process belongs to one project: in turns, they would be started anew for each file. The sort is stable. */
function byProject(a: TestSpecification, b: TestSpecification): number {
  return a.project.name.localeCompare(b.project.name);
}
