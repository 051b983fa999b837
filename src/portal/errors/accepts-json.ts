// The Accept header of an API that answers JSON: can it be met?

/** No header, an empty one, and one that cannot be read take anything. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  return accept.split(',').some((range) => {
    const [type = '', ...params] = range.split(';').map((part) => part.trim().toLowerCase());
    if (params.some((param) => /^q=0(\.0*)?$/.test(param))) return false;
    return type === '*/*' || type === '*' || type === 'application/*' || type === 'application/json';
  });
}
