// Tells the portal that somebody opened an item: once for each visit, however often the page is drawn or reloaded meanwhile.

import { useEffect } from 'react';
import { linkInUse } from '../lib/share-link.ts';
import { send } from './client.ts';

const KEY = 'survest-viewed';
/** Of one visit; the oldest are forgotten, and counted again. */
const MAX = 500;

export function useCountView(pk: string | undefined): void {
  useEffect(() => {
    // Whoever has nothing but an unlisted link writes nothing, not even that.
    if (pk === undefined || linkInUse() !== undefined || !isNew(pk)) return;
    // Nobody waits for it, and a portal that only reads counts nothing.
    void send('POST', `/api/v2/resources/${pk}/views/`);
  }, [pk]);
}

function isNew(pk: string): boolean {
  try {
    const seen = (window.sessionStorage.getItem(KEY) ?? '').split(' ').filter((one) => one !== '');
    if (seen.includes(pk)) return false;
    window.sessionStorage.setItem(KEY, [...seen, pk].slice(-MAX).join(' '));
    return true;
  } catch {
    // Browsers that keep nothing, and frames that may not: better no view than one for every drawing.
    return false;
  }
}
