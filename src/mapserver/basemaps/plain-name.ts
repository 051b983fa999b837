// A name without its accents and case, as places are looked for. Pure.

/** `Zürich` and `zurich` are one; so are `Łódź` and `lodz`. */
export function plainName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('đ', 'd');
}
