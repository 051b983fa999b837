// The description that the REST service gives of itself (OpenAPI 2) and the portal's (OpenAPI 3) → what the console lists. Read
// from whatever is there. Pure.

type Argument = { readonly name: string; readonly type: string; readonly about: string };
type Column = Argument & {
  /** Part of the primary key. */
  readonly isKey: boolean;
  readonly refersTo: { readonly table: string; readonly column: string } | undefined;
};
export type Table = {
  readonly name: string;
  readonly about: string;
  readonly columns: readonly Column[];
  readonly methods: readonly string[];
};
export type Routine = { readonly name: string; readonly about: string; readonly args: readonly Argument[] };
export type RestDescription = { readonly tables: readonly Table[]; readonly routines: readonly Routine[] };

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export function parseRestDescription(document: unknown): RestDescription {
  const paths = isObject(member(document, 'paths')) ? (member(document, 'paths') as Json) : {};
  const definitions = member(document, 'definitions');
  const tables: Table[] = [];
  const routines: Routine[] = [];
  for (const [path, operations] of Object.entries(paths)) {
    if (path === '/' || !isObject(operations)) continue;
    const first = Object.values(operations).find(isObject);
    const about = text(member(first, 'summary')) || text(member(first, 'description'));
    if (path.startsWith('/rpc/')) {
      routines.push({
        name: decodeURIComponent(path.slice('/rpc/'.length)),
        about,
        args: argsOf(member(operations, 'post')),
      });
    } else {
      const name = decodeURIComponent(path.slice(1));
      // What has neither columns nor rows is no table, such as the address for batches.
      if (member(definitions, name) === undefined && member(operations, 'get') === undefined) continue;
      tables.push({
        name,
        about,
        columns: columnsOf(member(definitions, name)),
        methods: Object.keys(operations).map((method) => method.toUpperCase()),
      });
    }
  }
  const byName = (a: { readonly name: string }, b: { readonly name: string }): number => a.name.localeCompare(b.name);
  return { tables: tables.sort(byName), routines: routines.sort(byName) };
}

function columnsOf(definition: unknown): readonly Column[] {
  const properties = member(definition, 'properties');
  if (!isObject(properties)) return [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: text(member(property, 'format')) || text(member(property, 'type')),
    about: aboutOf(text(member(property, 'description'))),
    isKey: text(member(property, 'description')).includes('<pk/>'),
    refersTo: reference(text(member(property, 'description'))),
  }));
}

/** The first line, if it is not one of the notes. */
function aboutOf(description: string): string {
  const first = description.split('\n')[0] ?? '';
  return first === 'Note:' ? '' : first;
}

/** `<fk table='clients' column='id'/>` → what it says. */
function reference(description: string): Column['refersTo'] {
  const found = /<fk table='([^']*)' column='([^']*)'\/>/.exec(description);
  if (found === null) return undefined;
  const plain = (escaped = ''): string =>
    escaped.replaceAll('&apos;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return { table: plain(found[1]), column: plain(found[2]) };
}

function argsOf(operation: unknown): readonly Argument[] {
  const parameters = member(operation, 'parameters');
  if (!Array.isArray(parameters)) return [];
  const body = parameters.find((one) => member(one, 'in') === 'body');
  return columnsOf(member(body, 'schema'));
}

type Operation = {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Argument[];
  readonly hasBody: boolean;
};
export type Tag = { readonly name: string; readonly operations: readonly Operation[] };

const METHODS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Operations of an OpenAPI 3 document, by their tag. */
export function parseOpenApi(document: unknown): readonly Tag[] {
  const paths = member(document, 'paths');
  if (!isObject(paths)) return [];
  const tags = new Map<string, Operation[]>();
  for (const [path, item] of Object.entries(paths)) {
    if (!isObject(item)) continue;
    for (const [method, operation] of Object.entries(item)) {
      if (!METHODS.has(method) || !isObject(operation)) continue;
      const [tag] = Array.isArray(operation['tags']) ? operation['tags'] : [];
      const name = text(tag) || path.split('/')[3] || path.split('/')[1] || path;
      const parameters = [...asList(item['parameters']), ...asList(operation['parameters'])].map((one) =>
        resolve(document, one),
      );
      const list = tags.get(name) ?? [];
      list.push({
        method: method.toUpperCase(),
        path,
        summary: text(operation['summary']) || text(operation['description']),
        parameters: parameters
          .filter(isObject)
          .map((one) => ({ name: text(one['name']), type: text(one['in']), about: text(one['description']) })),
        hasBody: operation['requestBody'] !== undefined,
      });
      tags.set(name, list);
    }
  }
  return [...tags].map(([name, operations]) => ({ name, operations })).sort((a, b) => a.name.localeCompare(b.name));
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function resolve(document: unknown, value: unknown): unknown {
  const ref = member(value, '$ref');
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return value;
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, part) => member(at, part.replaceAll('~1', '/').replaceAll('~0', '~')), document);
}
