// The rows of the house, as data: a folder may import from its own row's entry and from every row below, never up, and
// the services never from each other. Inside the REST service the stages go one way too.

/** Top to bottom. Folders of one row do not know each other, except where `beside` says so. */
export const ROWS = [
  ['server'],
  ['portal', 'mapserver', 'rest'],
  ['jobs', 'blobs', 'auth', 'http'],
  ['pg'],
  ['sql', 'geo'],
  ['kernel'],
];

/** In the row of shared parts some build on others. */
export const BESIDE = { jobs: ['blobs', 'auth', 'http'], blobs: ['http'], auth: ['http'] };

/** Stages of the REST service, last first; `errors` names what any of them can fail with. */
export const REST_STAGES = [
  ['service'],
  ['response'],
  ['run'],
  ['query'],
  ['plan'],
  ['auth', 'config', 'errors', 'request', 'schema-cache'],
];

/** The folder of a path below src/, and the stage below rest/. */
export function placeOf(path) {
  const [folder, stage] = path.split('/');
  return { folder, stage: folder === 'rest' ? stage : undefined };
}

/** Why the import may not be, or undefined. */
export function complaint(from, to) {
  const a = placeOf(from);
  const b = placeOf(to);
  if (a.folder !== b.folder) return foldersComplaint(a.folder, b.folder);
  if (a.stage === undefined || a.stage === b.stage) return undefined;
  return stagesComplaint(a.stage, b.stage);
}

function foldersComplaint(from, to) {
  const fromRow = ROWS.findIndex((row) => row.includes(from));
  const toRow = ROWS.findIndex((row) => row.includes(to));
  if (fromRow < 0 || toRow < 0) return `${fromRow < 0 ? from : to} stands in no row`;
  if (toRow < fromRow) return `${to} stands above ${from}`;
  if (toRow === fromRow && !(BESIDE[from] ?? []).includes(to))
    return `${from} and ${to} stand side by side and do not know each other`;
  return undefined;
}

function stagesComplaint(from, to) {
  // Errors are the words of every stage, so they may look at every stage's types.
  if (from === 'errors' || to === 'errors') return undefined;
  const fromRow = REST_STAGES.findIndex((row) => row.includes(from));
  const toRow = REST_STAGES.findIndex((row) => row.includes(to));
  if (fromRow < 0 || toRow < 0) return `rest/${fromRow < 0 ? from : to} is no stage`;
  return toRow < fromRow ? `the stage ${to} comes after ${from}` : undefined;
}
