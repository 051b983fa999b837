// Type guards for answers that no OpenAPI document describes: checked where they arrive, so that nothing is taken for what it is not. Pure.

export type Guard<T> = (value: unknown) => value is T;

export const isText: Guard<string> = (value) => typeof value === 'string';
export const isNumber: Guard<number> = (value) => typeof value === 'number';
export const isFlag: Guard<boolean> = (value) => typeof value === 'boolean';
export const isObject: Guard<Readonly<Record<string, unknown>>> = (value): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function isOneOf<const T>(...values: readonly T[]): Guard<T> {
  return (value): value is T => values.some((one) => one === value);
}

export function isEither<A, B>(one: Guard<A>, other: Guard<B>): Guard<A | B> {
  return (value): value is A | B => one(value) || other(value);
}

export function isListOf<T>(each: Guard<T>): Guard<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(each);
}

/** Members that are not named may be there, too. One that may be missing has a guard that takes `undefined`. */
export function isRecordOf<T>(members: { readonly [K in keyof T]-?: Guard<T[K]> }): Guard<T> {
  const guards: readonly (readonly [string, Guard<unknown>])[] = Object.entries(members);
  return (value): value is T => isObject(value) && guards.every(([name, guard]) => guard(value[name]));
}
