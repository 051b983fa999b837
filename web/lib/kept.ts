// A choice that this browser remembers: theme, language. Where it may not remember anything, it lasts as long as the page.

const inMemory = new Map<string, string>();

export function readKept(name: string): string | null {
  try {
    return window.localStorage.getItem(`survest.${name}`) ?? inMemory.get(name) ?? null;
  } catch {
    return inMemory.get(name) ?? null;
  }
}

export function keepValue(name: string, value: string | null): void {
  if (value === null) inMemory.delete(name);
  else inMemory.set(name, value);
  try {
    if (value === null) window.localStorage.removeItem(`survest.${name}`);
    else window.localStorage.setItem(`survest.${name}`, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}
