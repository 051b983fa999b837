// The look at a table before it is imported: opened by its button, or by itself where choices of an earlier file of the same form would lose something
// of this one.

import { useEffect, useRef, useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { previewTable } from '../../api/preview-table.ts';
import type { Bundle } from '../../lib/sniff-upload.ts';
import {
  fieldsOf,
  isWished,
  losesSomething,
  NO_WISH,
  rememberedWish,
  rememberWish,
  type TablePreview,
  type TableWish,
} from '../../lib/table-choices.ts';

export function useTablePreview(bundle: Bundle | undefined) {
  const [wish, setWish] = useState<TableWish>(NO_WISH);
  const [preview, setPreview] = useState<TablePreview>();
  const [isLooking, setLooking] = useState(false);
  const [isRemembered, setRemembered] = useState(false);
  const [share, setShare] = useState<number>();
  const [failure, setFailure] = useState<Failure>();
  const turn = useRef(new AbortController());
  const sent = useRef<string>(undefined);
  const isTable = bundle?.format === 'csv' || bundle?.format === 'excel';

  // Another file begins with what is remembered of its form. The names of a workbook's columns are known when it was looked at.
  useEffect(() => {
    const known = bundle?.heads.flatMap((names) => rememberedWish(names) ?? [])[0];
    setWish(known ?? NO_WISH);
    setRemembered(known !== undefined);
    setPreview(undefined);
    setFailure(undefined);
    sent.current = undefined;
    return () => turn.current.abort();
  }, [bundle]);

  /** Undefined: it was given up, or failed. */
  const look = async (wanted: TableWish): Promise<TablePreview | undefined> => {
    if (bundle === undefined) return undefined;
    turn.current.abort();
    const mine = new AbortController();
    turn.current = mine;
    setLooking(true);
    setFailure(undefined);
    const sending = { onProgress: setShare, onWaiting: () => {}, signal: mine.signal };
    const looked = await previewTable(bundle.main, wanted, sending).catch(() => undefined);
    if (mine.signal.aborted) return undefined;
    setLooking(false);
    setShare(undefined);
    if (looked === undefined) return undefined;
    if (!looked.ok) {
      setFailure(looked.error);
      return undefined;
    }
    sent.current = looked.value.file;
    return looked.value.preview;
  };
  const show = async (wanted: TableWish): Promise<void> => {
    setWish(wanted);
    const seen = await look(wanted);
    if (seen !== undefined) setPreview(seen);
  };
  return {
    isTable,
    isRemembered,
    wish,
    preview,
    isLooking,
    failure,
    /** Of the file, while it is sent to be looked at. */
    share,
    forget: (): void => {
      setRemembered(false);
      setWish(NO_WISH);
    },
    change: (wanted: TableWish) => {
      setRemembered(false);
      void show(wanted);
    },
    open: async (): Promise<void> => {
      const seen = await look(wish);
      if (seen === undefined) return;
      const known = isWished(wish) ? undefined : rememberedWish(seen.columns.map(({ name }) => name));
      setPreview(seen);
      if (known === undefined) return;
      setRemembered(true);
      await show(known);
    },
    /** Before it is sent: false where it has to be seen first, which it then is. */
    check: async (): Promise<boolean> => {
      if (!isRemembered || preview !== undefined) return true;
      const seen = await look(wish);
      if (seen === undefined) return false;
      if (!losesSomething(seen)) return true;
      setPreview(seen);
      return false;
    },
    fields: (): Readonly<Record<string, string>> => fieldsOf(wish),
    /** What was chosen of a table that was looked at is chosen for the next one of its form. */
    remember: (): void => {
      if (preview === undefined) return;
      // Sheets are called after months.
      const { sheet: _, ...kept } = wish;
      rememberWish(
        preview.columns.map(({ name }) => name),
        kept,
      );
    },
    /** What was sent to be looked at goes, too. */
    drop: (): void => {
      turn.current.abort();
      if (sent.current !== undefined)
        void send('DELETE', `/api/v2/uploads/files/${sent.current}/`, { headers: { 'Tus-Resumable': '1.0.0' } });
    },
  };
}
