// Editing cells of the attribute table: which cell has the focus, which one is being written, and what became of it. A cell is written
// at once, bound to the state of its feature that was read when editing began.

import { useState } from 'react';
import type { Failure } from '../../../api/failure.ts';
import type { RowStore } from '../../../api/row-store.ts';
import type { EditFeature, StoredFeature } from '../../../lib/edit/edit-session.ts';
import { type FieldFault, type FormField, fieldValue } from '../../../lib/edit/feature-form.ts';

export type CellPlace = { readonly id: string | number; readonly field: string };

export type CellEdit = {
  readonly fields: ReadonlyMap<string, FormField>;
  /** Undefined: none is being written. */
  readonly open: (CellPlace & { readonly stored: StoredFeature }) | undefined;
  readonly isBusy: boolean;
  readonly trouble:
    | (CellPlace & { readonly failure: Failure })
    | (CellPlace & { readonly fault: FieldFault })
    | undefined;
  readonly conflict: { readonly mine: EditFeature; readonly theirs: StoredFeature | undefined } | undefined;
  readonly begin: (place: CellPlace) => Promise<void>;
  /** True: it is written, or there was nothing to write. */
  readonly commit: (text: string, was: string) => Promise<boolean>;
  readonly cancel: () => void;
  readonly keepMine: () => Promise<void>;
  readonly takeTheirs: () => void;
};

export function useCellEdit(store: RowStore, fields: readonly FormField[], onSaved: () => void): CellEdit {
  const [open, setOpen] = useState<CellEdit['open']>();
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<CellEdit['trouble']>();
  const [conflict, setConflict] = useState<CellEdit['conflict']>();
  const byName = new Map(fields.map((field) => [field.name, field]));
  const write = async (mine: EditFeature, place: CellPlace): Promise<boolean> => {
    setBusy(true);
    const became = await store.write(mine);
    setBusy(false);
    if (became?.kind === 'conflict') setConflict({ mine, theirs: became.theirs });
    if (became?.kind === 'failed') setTrouble({ ...place, failure: became.failure });
    if (became !== undefined) return false;
    setOpen(undefined);
    setTrouble(undefined);
    setConflict(undefined);
    onSaved();
    return true;
  };
  return {
    fields: byName,
    open,
    isBusy,
    trouble,
    conflict,
    async begin(place) {
      if (byName.get(place.field)?.isReadOnly !== false || isBusy) return;
      setBusy(true);
      setTrouble(undefined);
      const stored = await store.read(place.id);
      setBusy(false);
      if (stored.ok) setOpen({ ...place, stored: stored.value });
      else setTrouble({ ...place, failure: stored.error });
    },
    async commit(text, was) {
      const field = open === undefined ? undefined : byName.get(open.field);
      if (open === undefined || field === undefined || text === was) {
        setOpen(undefined);
        setTrouble(undefined);
        return true;
      }
      const read = fieldValue(text, field);
      if ('fault' in read) {
        setTrouble({ id: open.id, field: open.field, fault: read.fault });
        return false;
      }
      const { stored } = open;
      const changes = { [open.field]: read.value };
      return write({ key: 'cell', stored, geometry: stored.geometry, changes, isDeleted: false }, open);
    },
    cancel() {
      setOpen(undefined);
      setTrouble(undefined);
    },
    async keepMine() {
      if (conflict === undefined || open === undefined) return;
      const { mine, theirs } = conflict;
      setConflict(undefined);
      if (theirs !== undefined) await write({ ...mine, stored: theirs, geometry: theirs.geometry }, open);
      // It is gone: what is left of it is a new one.
      else await write({ ...mine, stored: undefined, changes: { ...mine.stored?.properties, ...mine.changes } }, open);
    },
    takeTheirs() {
      setConflict(undefined);
      setOpen(undefined);
      onSaved();
    },
  };
}
