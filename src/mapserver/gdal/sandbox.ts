// A sandbox for programs that read strangers' files: bubblewrap (`bwrap`) with namespaces of its own for mounts, network, processes
// and IPC. Whoever runs in it sees the libraries of the system, what it is told to read, and one folder to write in. Whether it
// holds on this machine is found out by `find-sandbox.ts`. Pure.

export type Sandbox = {
  /** Path of bubblewrap. */
  readonly program: string;
  /** What everybody in it sees of the system. */
  readonly system: readonly string[];
};

export type Seen = {
  /** The only folder that can be written in; also where the program starts. */
  readonly folder: string;
  /** Files and folders that can be read, under the same names. What is not there is left out. */
  readonly readable: readonly string[];
};

/** The command that runs another one in the sandbox. Environment and descriptors are those that it is started with. */
export function inSandbox({ program, system }: Sandbox, seen: Seen, command: readonly string[]): readonly string[] {
  return [
    program,
    // Networks without even a loopback that leads anywhere, no processes of others, nothing shared with them.
    '--unshare-all',
    '--die-with-parent',
    // No terminal to type into.
    '--new-session',
    // Root of the machine is nobody here.
    '--cap-drop',
    'ALL',
    ...system,
    ...seen.readable.flatMap((path) => ['--ro-bind-try', path, path]),
    '--bind',
    seen.folder,
    seen.folder,
    // What is left of the root is memory: nobody fills it.
    '--remount-ro',
    '/',
    '--chdir',
    seen.folder,
    '--',
    ...command,
  ];
}
