// The style that a map has of its own for one of its layers. Pure.

const OWN_STYLE = 'survest:style';

/** Of the configuration of a map's layer, which is whatever a client has sent. */
export function ownStyle(params: Buffer | null | undefined): unknown {
  if (params === null || params === undefined) return undefined;
  try {
    const layer = JSON.parse(params.toString()) as { readonly [OWN_STYLE]?: unknown } | null;
    return layer?.[OWN_STYLE];
  } catch {
    return undefined;
  }
}
