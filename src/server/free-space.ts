// Free space of the folders that the program writes into: how much there is, whether that is less than the operator wants to be told of, and the
// watch that writes it to the log. For `/ready` and `survest status`.

import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Observe } from '../kernel/observation.ts';
import type { ShareOrSize } from '../kernel/options/types/share-or-size.ts';
import type { ServerConfig } from './config/config.ts';
import { filesFolder } from './files-folder.ts';

/** `data`: the embedded database. `files`: where no bucket keeps them. `temp`: spooled requests, and what GDAL reads and writes. */
type FolderName = 'data' | 'files' | 'temp';

export type FolderSpace = {
  readonly name: FolderName;
  readonly folder: string;
  readonly free: number;
  readonly total: number;
  readonly isLow: boolean;
};

const WATCH_MS = 60_000;

type SpaceSettings = Pick<ServerConfig, 'dataDir' | 's3Bucket' | 'freeSpaceWarning'>;

/** A folder that cannot be measured is left out. */
export async function freeSpace(
  { dataDir, s3Bucket, freeSpaceWarning }: SpaceSettings,
  names: readonly FolderName[] = ['data', ...(s3Bucket === undefined ? (['files'] as const) : []), 'temp'],
): Promise<readonly FolderSpace[]> {
  const found = await Promise.all(
    names.map(async (name): Promise<FolderSpace | undefined> => {
      const folder = name === 'temp' ? tmpdir() : name === 'files' ? filesFolder(dataDir) : dataDir;
      const space = await statfs(folder).catch(() => undefined);
      if (space === undefined || space.blocks === 0) return undefined;
      const [free, total] = [space.bavail * space.bsize, space.blocks * space.bsize];
      return { name, folder, free, total, isLow: isBelow(free, total, freeSpaceWarning) };
    }),
  );
  return found.filter((space) => space !== undefined);
}

function isBelow(free: number, total: number, level: ShareOrSize): boolean {
  return level.kind === 'percent' ? free * 100 < total * level.percent : free < level.bytes;
}

export function freePercent({ free, total }: Pick<FolderSpace, 'free' | 'total'>): number {
  return Math.round((free / total) * 1000) / 10;
}

/** Says once for a folder that little is left, and again after there was enough meanwhile. */
export function watchSpace(
  settings: SpaceSettings,
  observe: Observe,
  names?: readonly FolderName[],
): { close(): void } {
  let low: ReadonlySet<string> = new Set();
  const look = async (): Promise<void> => {
    const found = (await freeSpace(settings, names)).filter(({ isLow }) => isLow);
    for (const { name, folder, free, total } of found)
      if (!low.has(name)) observe({ kind: 'space-low', folder, free, percent: freePercent({ free, total }) });
    low = new Set(found.map(({ name }) => name));
  };
  void look();
  const timer = setInterval(() => void look(), WATCH_MS).unref();
  return { close: () => clearInterval(timer) };
}
