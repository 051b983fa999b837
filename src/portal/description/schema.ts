// Schemas as OpenAPI 3.0 has them, and the few forms that most of them are made of.

export type Schema = { readonly [keyword: string]: unknown };

export const TEXT: Schema = { type: 'string' };
export const FLAG: Schema = { type: 'boolean' };
export const INTEGER: Schema = { type: 'integer' };
export const NUMBER: Schema = { type: 'number' };
export const MOMENT: Schema = { type: 'string', format: 'date-time' };

export function orNull(schema: Schema): Schema {
  return { ...schema, nullable: true };
}

/** A schema of the document's components. */
export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object with these members and no others; all of them are promised unless told otherwise. */
export function record(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema {
  return {
    type: 'object',
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** What is sent: members that are not named are ignored or refused by the route, in its own words. */
export function body(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema {
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

export function arrayOf(items: Schema): Schema {
  return { type: 'array', items };
}

/** A page of a list, whose member has the list's name. */
export function pageSchema(list: string, one: Schema): Schema {
  const address = orNull({ type: 'string', format: 'uri' });
  return record({
    links: record({ next: address, previous: address }),
    total: INTEGER,
    page: INTEGER,
    page_size: INTEGER,
    [list]: arrayOf(one),
  });
}
