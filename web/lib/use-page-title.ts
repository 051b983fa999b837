// The name of the page, in the window's title.

import { useEffect } from 'react';

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Survest' : `${title} · Survest`;
  }, [title]);
}
