// Light or dark: as the system has it, unless a person chose.

import { useSyncExternalStore } from 'react';
import { keepValue, readKept } from './kept.ts';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const listeners = new Set<() => void>();
const systemIsDark = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)');

function chosenTheme(): Theme {
  const kept = readKept('theme');
  return THEMES.find((theme) => theme === kept) ?? 'auto';
}

export function chooseTheme(theme: Theme): void {
  keepValue('theme', theme === 'auto' ? null : theme);
  applyTheme();
  for (const listener of listeners) listener();
}

export function applyTheme(): void {
  const theme = chosenTheme();
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const system = systemIsDark();
  system.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    system.removeEventListener('change', listener);
  };
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, chosenTheme);
}

/** What it comes to. */
export function useIsDark(): boolean {
  return useSyncExternalStore(subscribe, () => {
    const theme = chosenTheme();
    return theme === 'auto' ? systemIsDark().matches : theme === 'dark';
  });
}
