// The functions that an expression of CQL2 may call, and how many arguments each takes. What they mean of a row is said where expressions
// become SQL; docs/calculating.md lists them for people.

export type FunctionName =
  | 'upper'
  | 'lower'
  | 'trim'
  | 'replace'
  | 'concat'
  | 'substring'
  | 'split'
  | 'position'
  | 'length'
  | 'round'
  | 'floor'
  | 'ceil'
  | 'abs'
  | 'least'
  | 'greatest'
  | 'coalesce'
  | 'nullif'
  | 'to_text'
  | 'to_integer'
  | 'to_number'
  | 'to_boolean'
  | 'to_date'
  | 'to_timestamp'
  | 'year'
  | 'month'
  | 'day'
  | 'days_between'
  | 'today'
  | 'area'
  | 'perimeter'
  | 'centroid_x'
  | 'centroid_y'
  | 'distance';

/** Least and most arguments. */
const FUNCTIONS: Readonly<Record<FunctionName, readonly [least: number, most: number]>> = {
  upper: [1, 1],
  lower: [1, 1],
  trim: [1, 1],
  replace: [3, 3],
  concat: [1, 20],
  substring: [2, 3],
  split: [3, 3],
  position: [2, 2],
  length: [1, 1],
  round: [1, 2],
  floor: [1, 1],
  ceil: [1, 1],
  abs: [1, 1],
  least: [2, 20],
  greatest: [2, 20],
  coalesce: [2, 20],
  nullif: [2, 2],
  to_text: [1, 1],
  to_integer: [1, 1],
  to_number: [1, 1],
  to_boolean: [1, 1],
  to_date: [1, 1],
  to_timestamp: [1, 1],
  year: [1, 1],
  month: [1, 1],
  day: [1, 1],
  days_between: [2, 2],
  today: [0, 0],
  area: [1, 1],
  perimeter: [1, 1],
  centroid_x: [1, 1],
  centroid_y: [1, 1],
  distance: [2, 2],
};

export function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(FUNCTIONS, name);
}

/** What is wrong with so many arguments; undefined: nothing. */
export function arityComplaint(name: FunctionName, count: number): string | undefined {
  const [least, most] = FUNCTIONS[name];
  if (count >= least && count <= most) return undefined;
  const wanted = least === most ? String(least) : `${least} to ${most}`;
  return `"${name}" takes ${wanted} ${most === 1 ? 'argument' : 'arguments'}, not ${count}`;
}
