// Makes a release: the changelog's "Unreleased" becomes the version of today, package.json and the client's get it, all are
// committed and tagged.
// Nothing is pushed or published: that is one more, deliberate step.
// Usage: node scripts/release.mjs VERSION [--date YYYY-MM-DD]

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [version = '', ...rest] = process.argv.slice(2);
const date = rest[0] === '--date' ? (rest[1] ?? '') : new Date().toISOString().slice(0, 10);

if (!/^\d+\.\d+\.\d+(?:-[0-9a-z.]+)?$/.test(version)) fail('say which version: node scripts/release.mjs 0.2.0');
if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) fail(`"${date}" is no date: --date 2026-01-31`);
if (git('status', '--porcelain') !== '')
  fail('commit or stash your changes first: a release is made of what is committed');
if (git('branch', '--show-current') !== 'main') fail('releases are made on main');
if (git('tag', '--list', `v${version}`) !== '') fail(`v${version} exists already`);
const docs = spawnSync('npm', ['run', '--silent', '--if-present', 'check:docs', '--', '--strict'], {
  encoding: 'utf8',
});
if (docs.status !== 0) fail(`${docs.stdout}${docs.stderr}`);

const changelog = readFileSync('CHANGELOG.md', 'utf8');
const [head, notes] = split(changelog);
if (notes.trim() === '') fail('CHANGELOG.md says nothing under "Unreleased": what would be released?');
writeFileSync('CHANGELOG.md', `${head}## [Unreleased]\n\n## [${version}] - ${date}\n${notes}`);

// The client is generated from the API, so it has the version of the program.
for (const folder of ['.', 'client']) {
  const args = ['version', '--no-git-tag-version', '--ignore-scripts', '--allow-same-version', version];
  const manifest = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  if (manifest.status !== 0) fail(manifest.stderr);
}

git('add', 'CHANGELOG.md', 'package.json', 'package-lock.json', 'client/package.json');
git('commit', '--quiet', '--message', `Release ${version}`);
git('tag', '--annotate', `v${version}`, '--message', releaseNotes(notes));
console.log(
  `v${version} is committed and tagged. Publish it with: git push --follow-tags && npm publish && npm publish ./client`,
);

/** What stands before "Unreleased", and everything after that line. */
function split(text) {
  const at = text.search(/^## \[Unreleased\]\n/m);
  if (at < 0) fail('CHANGELOG.md has no "## [Unreleased]"');
  return [text.slice(0, at), text.slice(at + '## [Unreleased]\n'.length)];
}

/** The part up to the version before. */
function releaseNotes(notes) {
  const before = notes.search(/^## \[/m);
  return `Survest ${version}\n\n${(before < 0 ? notes : notes.slice(0, before)).trim()}`;
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' });
  if (status !== 0) fail(stderr.trim());
  return stdout.trim();
}

function fail(why) {
  console.error(why);
  process.exit(1);
}
