// How a map shows one of its layers in a way of its own: a style, and which features. Pure.

const OWN_STYLE = 'survest:style';
const OWN_FILTER = 'survest:filter';

export type OwnLook = {
  /** Undefined: as the layer has it. */
  readonly style: unknown;
  /** CQL2 as JSON; undefined: every feature. */
  readonly filter: unknown;
};

/** Of the configuration of a map's layer, which is whatever a client has sent. */
export function ownLook(params: Buffer | null | undefined): OwnLook {
  const none: OwnLook = { style: undefined, filter: undefined };
  if (params === null || params === undefined) return none;
  try {
    const layer = JSON.parse(params.toString()) as Readonly<Record<string, unknown>> | null;
    return { style: layer?.[OWN_STYLE], filter: layer?.[OWN_FILTER] ?? undefined };
  } catch {
    return none;
  }
}
