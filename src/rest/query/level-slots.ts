// Columns that rows of several levels share: each level has its columns in some of them, in its own order, and null in all others.
//
// Cells are written as they come, so no level may have its columns in another order than its own: what all of them fit into is a common
// supersequence of their types, as short as taking the next slot of the right type makes it.

/** For each level the slot of each of its columns. */
type LevelSlots = { readonly types: readonly string[]; readonly places: readonly (readonly number[])[] };

export function levelSlots(levels: readonly (readonly string[])[]): LevelSlots {
  // Slots are known by numbers until all of them are there: one may come before others.
  const slots: { readonly id: number; readonly type: string }[] = [];
  const taken = levels.map((types) => {
    let from = 0;
    return types.map((type) => {
      const found = slots.findIndex((slot, i) => i >= from && slot.type === type);
      const at = found < 0 ? from : found;
      if (found < 0) slots.splice(at, 0, { id: slots.length, type });
      from = at + 1;
      return slots[at]?.id;
    });
  });
  const placeOf = new Map(slots.map(({ id }, place) => [id, place]));
  return {
    types: slots.map(({ type }) => type),
    places: taken.map((ids) => ids.map((id) => placeOf.get(id ?? -1) ?? -1)),
  };
}
