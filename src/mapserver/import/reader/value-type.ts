// What the cells of a column have in common → its type. Numbers that begin with a zero are names (post codes, keys), not numbers.

export type ValueType = 'integer' | 'bigint' | 'float8' | 'boolean' | 'date' | 'timestamp with time zone' | 'varchar';

/** Which types are still possible, as bits. */
const INTEGER = 1;
const BIGINT = 2;
const FLOAT = 4;
const COMMA_FLOAT = 8;
const BOOLEAN = 16;
const DATE = 32;
const TIME = 64;
const ALL = 127;

export type ColumnGuess = {
  look(value: string): void;
  /** `comma`: its numbers have a decimal comma. */
  readonly type: { readonly name: ValueType; readonly comma: boolean };
};

const MAX_INTEGER = 2_147_483_647;

export function guessColumn(allowComma: boolean): ColumnGuess {
  let possible = allowComma ? ALL : ALL & ~COMMA_FLOAT;
  let isEmpty = true;
  return {
    look(value) {
      if (value === '' || possible === 0) return;
      isEmpty = false;
      possible &= typesOf(value);
    },
    get type() {
      return { name: isEmpty ? 'varchar' : best(possible), comma: isComma(possible) };
    },
  };
}

function best(possible: number): ValueType {
  if ((possible & INTEGER) !== 0) return 'integer';
  if ((possible & BIGINT) !== 0) return 'bigint';
  if ((possible & (FLOAT | COMMA_FLOAT)) !== 0) return 'float8';
  if ((possible & BOOLEAN) !== 0) return 'boolean';
  if ((possible & DATE) !== 0) return 'date';
  return (possible & TIME) !== 0 ? 'timestamp with time zone' : 'varchar';
}

function isComma(possible: number): boolean {
  return (possible & (INTEGER | BIGINT | FLOAT)) === 0 && (possible & COMMA_FLOAT) !== 0;
}

function typesOf(value: string): number {
  const first = value.charCodeAt(0);
  const isSigned = first === 0x2d || first === 0x2b;
  const isDigit = first >= 0x30 && first <= 0x39;
  if (!isDigit && !isSigned && first !== 0x2e) return /^(?:true|false)$/i.test(value) ? BOOLEAN : 0;
  if (/^[-+]?(?:0|[1-9]\d*)$/.test(value)) {
    const number = Number(value);
    if (Math.abs(number) <= MAX_INTEGER) return INTEGER | BIGINT | FLOAT | COMMA_FLOAT;
    return fitsBigint(value) ? BIGINT | FLOAT | COMMA_FLOAT : FLOAT | COMMA_FLOAT;
  }
  if (/^[-+]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?$/.test(value))
    return Number.isFinite(Number(value)) ? FLOAT : 0;
  if (/^[-+]?(?:0|[1-9]\d*),\d+$/.test(value)) return COMMA_FLOAT;
  return timeTypes(value);
}

function fitsBigint(value: string): boolean {
  const number = BigInt(value.replace('+', ''));
  return number >= -(2n ** 63n) && number < 2n ** 63n;
}

function timeTypes(value: string): number {
  const found =
    /^(\d{4})[-/](\d\d)[-/](\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:Z|[-+]\d\d:?(?:\d\d)?)?)?$/.exec(value);
  if (found === null) return 0;
  const [year, month, day, hour, minute, second] = found.slice(1).map(Number);
  const date = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day ?? 0));
  const isDay = year !== 0 && date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
  if (!isDay) return 0;
  if (found[4] === undefined) return DATE | TIME;
  return (hour ?? 99) < 24 && (minute ?? 99) < 60 && (found[6] === undefined || (second ?? 99) < 60) ? TIME : 0;
}
