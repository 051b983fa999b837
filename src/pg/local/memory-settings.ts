// The machine's memory and the number of connections → the sizes a private server starts with. It shares the machine with the program
// itself, so it takes less than the usual quarter for its buffers.

const MB = 1024 ** 2;

export type MemorySettings = Readonly<Record<string, string>>;

export function memorySettings(machineBytes: number, connections: number): MemorySettings {
  const machine = machineBytes / MB;
  const clamp = (size: number, min: number, max: number): string =>
    `${Math.round(Math.min(max, Math.max(min, size)))}MB`;
  return {
    shared_buffers: clamp(machine / 8, 64, 4096),
    effective_cache_size: clamp(machine / 2, 256, 64 * 1024),
    maintenance_work_mem: clamp(machine / 32, 64, 1024),
    // A statement may sort or hash several times at once, and parallel workers multiply that.
    work_mem: clamp(machine / (connections * 16), 4, 64),
    max_connections: String(connections),
  };
}
