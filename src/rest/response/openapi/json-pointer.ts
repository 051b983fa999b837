// References inside a document: any name of the database → a `$ref` that points at exactly that member.

const SIMPLE = /^[\w.$-]+$/;
// RFC 3986 allows these in a fragment as they are; encodeURIComponent would make simple names unreadable.
const READABLE = /%(?:24|26|2B|2C|3A|3B|3D|3F|40|2F)/g;

/** `pointerTo('definitions', 'a/b')` → `#/definitions/a~1b` */
export function pointerTo(...segments: readonly string[]): string {
  let pointer = '#';
  for (const segment of segments) {
    if (SIMPLE.test(segment)) {
      pointer += `/${segment}`;
      continue;
    }
    const escaped = segment.replaceAll('~', '~0').replaceAll('/', '~1');
    pointer += `/${encodeURIComponent(escaped).replace(READABLE, decodeURIComponent)}`;
  }
  return pointer;
}
