// Which columns of a table make an address, guessed by their names; people choose others where it is wrong. Pure.

const NAMES: Readonly<Record<string, RegExp>> = {
  address: /^(?:full ?)?(?:address|adresse|anschrift|direccion|domicilio)$/,
  street: /^(?:street|strasse|str|rue|voie|calle|via)(?: ?name)?$/,
  number: /^(?:house ?(?:number|no|nr)|haus(?:nummer|nr)|hnr|nr|no|numero(?: de (?:rue|voie))?)$/,
  postcode: /^(?:post ?code|postal ?code|zip(?: ?code)?|plz|postleitzahl|code ?postal|cp|codigo ?postal|npa)$/,
  city: /^(?:city|town|place|ort|stadt|gemeinde|ville|commune|ciudad|municipio|localidad)$/,
  country: /^(?:country(?: ?code)?|land|pays|pais|state ?country)$/,
};
const MAX_NAME = 100;

/** By part of an address: the name of its column. A column with all of it is taken only where there are none with its parts. */
export function addressColumns(columns: readonly string[]): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const column of columns) {
    const name = plain(column.slice(0, MAX_NAME));
    const [part] = Object.entries(NAMES).find(([, pattern]) => pattern.test(name)) ?? [];
    if (part !== undefined) found[part] ??= column;
  }
  const { address, ...parts } = found;
  return address === undefined || parts['street'] !== undefined ? parts : { address, ...countryOf(parts) };
}

function countryOf({ country }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return country === undefined ? {} : { country };
}

function plain(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').replace(/[_.-]/g, ' ').trim();
}
