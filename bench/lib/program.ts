// The built program over a database, as a process of its own: files go in by HTTP, as people send them.

import { type ChildProcess, spawn } from 'node:child_process';
import { openAsBlob, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Program = {
  readonly portal: string;
  readonly child: ChildProcess;
  /** PUT to PROCESSED, in seconds. */
  upload(files: readonly string[]): Promise<number>;
  /** The most memory that the process has used since this was last asked, in megabytes. */
  peakMemory(): number;
  stop(): Promise<void>;
};

/** SURVEST_MAIN: another build, to compare. */
export const MAIN: string =
  process.env['SURVEST_MAIN'] ?? fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));
const PASSWORD = 'a password for benchmarks';
/** The first account's, for the header. */
export const AUTHORIZATION: string = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
const POLL_MS = 20;

/** Without `uri` on the embedded database. */
export async function startProgram(uri: string | undefined, folder: string, gdal: 'native' | 'wasm'): Promise<Program> {
  const database = uri === undefined ? {} : { SVRST_DB_URI: uri };
  const child = spawn(
    process.execPath,
    [MAIN, '--portal-port', '0', '--server-port', '0', '--data-dir', folder, '--import-gdal', gdal],
    { env: { ...process.env, ...database, SVRST_ADMIN_PASSWORD: PASSWORD }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const base = await listening(child);
  const status = `/proc/${child.pid}/status`;
  return {
    portal: base,
    child,
    async upload(files) {
      const form = new FormData();
      for (const [i, file] of files.entries()) {
        const extension = file.split('.').at(-1);
        form.append(i === 0 ? 'base_file' : `${extension}_file`, await openAsBlob(file), basename(file));
      }
      const began = performance.now();
      const reply = await fetch(`${base}/api/v2/uploads/upload/`, {
        method: 'PUT',
        headers: { authorization: AUTHORIZATION },
        body: form,
      });
      if (reply.status !== 201) throw new Error(`refused: ${reply.status} ${await reply.text()}`);
      const { upload_id } = (await reply.json()) as { upload_id: number };
      for (;;) {
        const asked = await fetch(`${base}/api/v2/uploads/${upload_id}/?full=true`, {
          headers: { authorization: AUTHORIZATION },
        });
        const { upload } = (await asked.json()) as { upload: { state: string; session: { error_msg: string | null } } };
        if (upload.state === 'PROCESSED') return (performance.now() - began) / 1000;
        if (upload.state === 'INVALID') throw new Error(upload.session.error_msg ?? 'the import failed');
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
    peakMemory() {
      const kilobytes = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] ?? Number.NaN);
      writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
      return kilobytes / 1024;
    },
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
    },
  };
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      const address = /Portal listens on (\S+)/.exec(said)?.[1];
      if (address !== undefined) resolve(address.replace('localhost', '127.0.0.1'));
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('exit', () => reject(new Error(`the program ended: ${said}`)));
  });
}
