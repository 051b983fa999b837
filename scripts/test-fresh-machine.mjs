// The README's commands on a machine that has Node.js and nothing else: a new Debian (debootstrap), a new user, what is committed here, and
// no network for the start. Needs root, debootstrap and some minutes. npm and Debian's packages come from where this machine has
// them from.
// Usage: npm run test:fresh [-- what else the tests take]

import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const USER = 1000;
const HOME = '/home/newcomer';
const CHECKOUT = `${HOME}/survest`;
const source = join(import.meta.dirname, '..');

if (process.getuid?.() !== 0) fail('only root can make a machine inside this one');
for (const program of ['debootstrap', 'unshare', 'ip'])
  if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
    fail(`${program} is needed: apt install ${program}`);

const folder = mkdtempSync(join(tmpdir(), 'survest-fresh-'));
// What is mounted there is mounted in a namespace of its own, and gone with the last command.
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

const root = join(folder, 'root');
const [mirror, suite] = debianOfThisMachine();
step('a new Debian', () => run('debootstrap', ['--variant=minbase', suite, root, mirror], { stdio: 'ignore' }));
copyNode();
copyNetworkSettings();
copyCheckout();

step('npm ci', () => enter('npm ci --no-audit --no-fund', { online: true }));
step('npm start', () =>
  enter(`
    npm start > /tmp/start.log 2>&1 & program=$!
    for address in http://localhost:8000/ http://localhost:3000/demo_countries?select=name
    do timeout 300 node -e 'const again = () => setTimeout(ask, 500); const ask = () => fetch(process.argv[1]).then((reply) => reply.ok ? process.exit() : again(), again); ask()' "$address" || { cat /tmp/start.log; exit 1; }
    done
    kill -TERM $program; wait $program || true`),
);
// A test installs the package as others do, from the registry.
step('npm test', () => enter(`npm test -- ${process.argv.slice(2).map(quoted).join(' ')}`, { online: true }));
step('npm run check', () => enter('npm run check'));
console.log('\nThe README holds on a machine with Node.js alone.');

/** Runs it as the new user, with loopback as the only network unless it is `online`. Whatever it starts ends with it. */
function enter(script, { online = false } = {}) {
  const mounts = `${online ? '' : 'ip link set lo up;'} mount -t proc proc ${root}/proc; mount --rbind /dev ${root}/dev; mount -t tmpfs tmpfs ${root}/dev/shm;`;
  const user = `setpriv --reuid=${USER} --regid=${USER} --clear-groups env -i HOME=${HOME} PATH=/usr/local/bin:/usr/bin:/bin ${clientSettings()}`;
  const namespaces = ['--mount', '--pid', '--ipc', '--fork', '--kill-child', ...(online ? [] : ['--net'])];
  // The shell stays root: to one that has become another user, --kill-child no longer applies.
  const command = `set -e; ${mounts} chroot ${root} ${user} sh -c ${quoted(`set -e; cd ${CHECKOUT}; ${script}`)}; exit $?`;
  run('unshare', [...namespaces, 'sh', '-c', command]);
}

/** The mirror and the release that apt uses here. */
function debianOfThisMachine() {
  const targets = ['indextargets', '--format', '$(REPO_URI) $(CODENAME)', 'Created-By: Packages'];
  const [first = ''] = execFileSync('apt-get', targets, { encoding: 'utf8' }).split('\n');
  const found = first.split(' ');
  if (found.length !== 2 || found[0] === '') fail('apt knows no mirror of Debian here');
  return found;
}

function copyNode() {
  const npm = execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim();
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'));
  cpSync(join(npm, 'npm'), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, `usr/local/bin/${name}`));
}

/** How this machine reaches npm: names, certificates, and the settings of npm. */
function copyNetworkSettings() {
  for (const file of ['/etc/resolv.conf', '/etc/hosts', ...certificates()]) {
    if (!existsSync(file)) continue;
    mkdirSync(dirname(join(root, file)), { recursive: true });
    cpSync(file, join(root, file), { dereference: true });
  }
  mkdirSync(join(root, HOME), { recursive: true });
  const settings = join(homedir(), '.npmrc');
  if (existsSync(settings)) copyFileSync(settings, join(root, HOME, '.npmrc'));
  writeFileSync(join(root, 'etc/passwd'), `newcomer:x:${USER}:${USER}::${HOME}:/bin/sh\n`, { flag: 'a' });
  writeFileSync(join(root, 'etc/group'), `newcomer:x:${USER}:\n`, { flag: 'a' });
}

function certificates() {
  const { NODE_EXTRA_CA_CERTS: extra } = process.env;
  return extra === undefined ? [] : [extra];
}

function clientSettings() {
  return Object.entries(process.env)
    .filter(([name]) => name === 'NODE_EXTRA_CA_CERTS' || /^(?:https?|no)_proxy$/i.test(name))
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(' ');
}

function copyCheckout() {
  const target = join(root, CHECKOUT);
  mkdirSync(target, { recursive: true });
  const archive = join(folder, 'checkout.tar');
  run('git', ['-C', source, 'archive', '--output', archive, 'HEAD']);
  run('tar', ['-xf', archive, '-C', target]);
  run('chown', ['-R', `${USER}:${USER}`, join(root, HOME)]);
}

function step(name, work) {
  console.log(`\n── ${name}`);
  const begun = performance.now();
  work();
  console.log(`── ${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (error !== undefined) fail(error.message);
  if (status !== 0) fail(`${command} ended with ${status}`);
}

function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function fail(why) {
  console.error(why);
  process.exit(1);
}
