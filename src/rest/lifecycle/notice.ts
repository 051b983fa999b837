// What a notification on the channel asks for: its payload in, an order out. Words that are not for us are nothing.

export type Notice =
  /** `relations`: oids of all that changed; undefined: anything may have. */
  | { readonly kind: 'reload-schema'; readonly relations: readonly number[] | undefined }
  | { readonly kind: 'reload-config' };

const RELATIONS = /^reload schema((?: [1-9][0-9]{0,9})+)$/;
const LAST_OID = 4_294_967_295;

export function parseNotice(payload: string): Notice | undefined {
  if (payload === '' || payload === 'reload schema') return { kind: 'reload-schema', relations: undefined };
  if (payload === 'reload config') return { kind: 'reload-config' };
  const relations = RELATIONS.exec(payload)?.[1]?.trim().split(' ').map(Number);
  if (relations === undefined || relations.some((oid) => oid > LAST_OID)) return undefined;
  return { kind: 'reload-schema', relations };
}
