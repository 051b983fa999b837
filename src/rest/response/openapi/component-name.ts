// Any name of the database → a key that OpenAPI 3.1 allows for components (letters, digits, `.`, `-`, `_`), one to one:
// other characters, and the dash itself, become their hexadecimal code between dashes. A dot never comes from a name, so it
// is free to join parts (`rowFilter.items.id`) and to mark the service's own components (`Survest.Error`).

const OTHER = /[^A-Za-z0-9_]/gu;

export function componentName(name: string): string {
  return name.replace(OTHER, (character) => `-${character.codePointAt(0)?.toString(16)}-`);
}
