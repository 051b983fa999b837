// What is wrong with the Node that runs the program, in words. Syntax and imports that old releases of Node know: it runs there, too.

/** As `engines` of package.json says it. */
export const OLDEST_NODE = '20.19.0';

export function runtimeComplaint(node: string, hasWebAssembly: boolean): string | undefined {
  if (isOlder(node, OLDEST_NODE))
    return `this is Node.js ${node}, and Survest needs ${OLDEST_NODE} or later: install a current release (https://nodejs.org/), and start it with that`;
  if (!hasWebAssembly)
    return 'this Node.js runs without WebAssembly, which the embedded database, the reader of files and the REST service need: start it without --jitless (see NODE_OPTIONS), on a system that lets programs compile code in memory';
  return undefined;
}

function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number));
  for (const at of [0, 1, 2]) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
