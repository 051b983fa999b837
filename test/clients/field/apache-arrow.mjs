// Apache Arrow's own library reads rows of the REST service: node apache-arrow.mjs URL

import { tableFromIPC } from 'apache-arrow';

const [, , url] = process.argv;
const reply = await fetch(url, { headers: { Accept: 'application/vnd.apache.arrow.stream' } });
const table = await tableFromIPC(reply);
console.log(
  JSON.stringify({
    rows: table.numRows,
    columns: Object.fromEntries(table.schema.fields.map(({ name, type }) => [name, String(type)])),
    names: [...(table.getChild('name') ?? [])],
  }),
);
