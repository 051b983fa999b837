// Ten people who read: each from an address of its own, one small request after the other, with a pause as a page has it.

import { Agent, get } from 'node:http';

export type LightResult = {
  /** Sorted, in milliseconds. */
  readonly times: readonly number[];
  /** By status, of answers that were no success. */
  readonly refused: ReadonlyMap<number, number>;
};

const READERS = 10;
const PAUSE_MS = 50;

/** Reads until `isOver`, and says how long each answer took. */
export async function readLightly(
  port: number,
  targets: readonly string[],
  isOver: () => boolean,
): Promise<LightResult> {
  const times: number[] = [];
  const refused = new Map<number, number>();
  const reader = async (number: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: `127.0.0.${number + 2}` });
    for (let i = number; !isOver(); i += 1) {
      const began = performance.now();
      const status = await ask(port, targets[i % targets.length] ?? '/', agent);
      times.push(performance.now() - began);
      if (status !== 200 && status !== 204) refused.set(status, (refused.get(status) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: READERS }, (_, number) => reader(number)));
  return { times: times.sort((a, b) => a - b), refused };
}

function ask(port: number, path: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent }, (reply) => {
      reply.resume();
      reply.once('end', () => resolve(reply.statusCode ?? 0));
      reply.once('error', reject);
    }).once('error', reject);
  });
}
