// The REST service's own description (Swagger 2.0, cut down to what the caller may see) → what a model has to know of its tables. Pure.

type TableColumn = {
  readonly name: string;
  readonly type: string;
  readonly comment?: string;
  readonly required?: true;
  readonly primary_key?: true;
  readonly references?: string;
};

export type TableDescription = {
  readonly table: string;
  readonly comment?: string;
  readonly columns: readonly TableColumn[];
  /** Tables with a foreign key to this one: they can be asked for inside its rows. */
  readonly referenced_by: readonly string[];
};

type Property = { readonly type?: string; readonly format?: string; readonly description?: string };
type Definition = {
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Property>>;
};
type Document = { readonly definitions?: Readonly<Record<string, Definition>> };

export function listTables(
  document: unknown,
  words: string,
): readonly { readonly table: string; readonly comment?: string }[] {
  const { definitions = {} } = document as Document;
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return Object.entries(definitions)
    .filter(([name, { description = '' }]) => {
      const text = `${name} ${description}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    })
    .map(([table, { description }]) => ({ table, ...(description === undefined ? {} : { comment: description }) }));
}

/** Undefined: there is no such table for the caller. */
export function describeTable(document: unknown, table: string): TableDescription | undefined {
  const { definitions = {} } = document as Document;
  const definition = Object.hasOwn(definitions, table) ? definitions[table] : undefined;
  if (definition === undefined) return undefined;
  const { description, required = [], properties = {} } = definition;
  return {
    table,
    ...(description === undefined ? {} : { comment: description }),
    columns: Object.entries(properties).map(([name, property]) => columnOf(name, property, required.includes(name))),
    referenced_by: Object.entries(definitions)
      .filter(([, { properties: theirs = {} }]) =>
        Object.values(theirs).some(({ description: note = '' }) => note.includes(`<fk table='${table}'`)),
      )
      .map(([name]) => name),
  };
}

function columnOf(name: string, { type, format, description = '' }: Property, required: boolean): TableColumn {
  const reference = /<fk table='([^']*)' column='([^']*)'\/>/.exec(description);
  const [comment = ''] = description.split(/\n{0,2}Note:\n/, 1);
  return {
    name,
    type: format ?? type ?? 'unknown',
    ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
    ...(required ? { required: true as const } : {}),
    ...(description.includes('<pk/>') ? { primary_key: true as const } : {}),
    ...(reference === null ? {} : { references: `${reference[1]}.${reference[2]}` }),
  };
}
