// A WebAssembly module of ours (`npm run wasm` makes its bytes): one memory, one function.

/** As much of it as is used here: Node's types leave it to those of a browser. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new () => { readonly buffer: ArrayBuffer };
};

export type WasmModule = {
  readonly bytes: Uint8Array;
  /** The same memory. */
  readonly words: Int32Array;
  readonly run: (...numbers: readonly number[]) => number;
};

/** `base64`: its bytes; `name`: of its function. Undefined: the processor knows no such instructions, or the host allows no WebAssembly. */
export function openWasm(base64: string, name: string): WasmModule | undefined {
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(base64, 'base64'))).exports;
  } catch {
    return undefined;
  }
  const { memory, [name]: run } = exported;
  if (!(memory instanceof WebAssembly.Memory) || typeof run !== 'function')
    throw new Error(`the module has no memory, or no function ${name}`);
  return {
    bytes: new Uint8Array(memory.buffer),
    words: new Int32Array(memory.buffer),
    run: run as WasmModule['run'],
  };
}
