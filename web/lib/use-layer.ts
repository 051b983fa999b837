// How other programs use a layer, with its address filled in: the examples of docs/programs.md for the layer that somebody looks at. Pure.

export const PROGRAMS = [
  'curl',
  'JavaScript',
  'Python',
  'GeoPandas',
  'R',
  'DuckDB',
  'QGIS',
  'GDAL',
  'Excel, Power Query',
  'Grafana',
] as const;
export type Program = (typeof PROGRAMS)[number];

export type LayerAddress = {
  /** Of the portal, without a slash at the end. */
  readonly origin: string;
  /** Of the layer's table. */
  readonly name: string;
  /** It has geometries. */
  readonly hasMap: boolean;
};

const PARQUET = 'application/vnd.apache.parquet';

/** Undefined: this program has no use for it. */
export function exampleFor(program: Program, { origin, name, hasMap }: LayerAddress): string | undefined {
  // An apostrophe would end the text that the address stands in.
  const part = encodeURIComponent(name).replace(
    /['()!*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const rows = `${origin}/rest/v1/${part}`;
  const ogc = `${origin}/ogc`;
  switch (program) {
    case 'curl':
      return `curl '${rows}?limit=10'`;
    case 'JavaScript':
      return `const reply = await fetch('${rows}?limit=10');\nconst rows = await reply.json();\nconsole.log(rows.length);`;
    case 'Python':
      return `import requests\n\nreply = requests.get("${rows}", params={"limit": 10}, timeout=60)\nreply.raise_for_status()\nprint(len(reply.json()))`;
    case 'GeoPandas':
      return hasMap ? `import geopandas\n\nlayer = geopandas.read_file("${origin}/download/${part}.fgb")` : undefined;
    case 'R':
      return hasMap
        ? `library(sf)\n\nlayer <- st_read("${origin}/download/${part}.fgb")`
        : `rows <- read.csv("${origin}/download/${part}.csv")`;
    case 'DuckDB':
      return `curl -s '${rows}' -H 'Accept: ${PARQUET}' -o ${fileName(name)}.parquet\nduckdb -c "select count(*) from read_parquet('${fileName(name)}.parquet')"`;
    case 'QGIS':
      return hasMap ? ogc : undefined;
    case 'GDAL':
      return hasMap ? `ogrinfo -so OAPIF:${ogc} ${shellWord(name)}` : undefined;
    case 'Excel, Power Query':
      return `Csv.Document(Web.Contents("${origin}/download/${part}.csv", [Headers = [Authorization = "Bearer " & Token]]), [Encoding = 65001])`;
    case 'Grafana':
      return `${rows}?limit=1000`;
  }
}

/** A name that every shell and file system takes. */
const fileName = (name: string): string => name.replaceAll(/[^\p{L}\p{N}_-]/gu, '_');

const shellWord = (name: string): string => (/^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);
