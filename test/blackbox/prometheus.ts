// Prometheus' text format → its samples. Throws at what its own reader would refuse: it is there to find our mistakes.

export type Prometheus = {
  readonly types: ReadonlyMap<string, string>;
  /** By name and labels as they are written. */
  readonly samples: ReadonlyMap<string, number>;
};

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*\})? (\S+)$/;
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];

export function parsePrometheus(text: string): Prometheus {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const types = new Map<string, string>();
  const helps = new Set<string>();
  const samples = new Map<string, number>();
  for (const line of text.slice(0, -1).split('\n')) {
    const [hash, word, name = '', ...rest] = line.split(' ');
    if (hash === '#') {
      if (!NAME.test(name)) throw new Error(`no name: ${line}`);
      if (word === 'TYPE') {
        if (types.has(name) || !TYPES.includes(rest.join(' '))) throw new Error(`wrong type: ${line}`);
        types.set(name, rest.join(' '));
      } else if (word === 'HELP') {
        if (helps.has(name)) throw new Error(`said twice: ${line}`);
        helps.add(name);
      }
      continue;
    }
    const sample = SAMPLE.exec(line);
    if (sample === null) throw new Error(`no sample: ${line}`);
    const [, own = '', labels = '', value = ''] = sample;
    const family = own.replace(/_(bucket|sum|count)$/, '');
    const isCompound = types.get(family) === 'histogram' || types.get(family) === 'summary';
    if (!types.has(own) && !isCompound) throw new Error(`of no type: ${line}`);
    const number = Number(value);
    if (Number.isNaN(number)) throw new Error(`no number: ${line}`);
    if (samples.has(own + labels)) throw new Error(`said twice: ${line}`);
    samples.set(own + labels, number);
  }
  return { types, samples };
}
