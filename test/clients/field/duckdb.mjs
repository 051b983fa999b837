// Reads a Parquet file as docs/programs.md says, with DuckDB: node duckdb.mjs FILE. Fails unless it has three rows with places.

import { DuckDBInstance } from '@duckdb/node-api';

const [, , file] = process.argv;
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const reader = await connection.runAndReadAll(
  `select count(*)::integer, count(geom)::integer, string_agg(name, ' ' order by name) from read_parquet('${file}')`,
);
const [row] = reader.getRows();
console.log(row);
if (String(row) !== '3,3,Elbe Rhine Weser') throw new Error(`DuckDB read ${row}`);
