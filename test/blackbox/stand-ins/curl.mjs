// What the examples of the documents use of curl, for machines that have none: -s -u -H -X -d --data-urlencode -b -c -o -w -L.

import { existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { request } from 'node:http';

const MAX_REDIRECTS = 10;
const headers = {};
const data = [];
let [method, address, output, format, readJar, writeJar, follows] = [];
const words = process.argv.slice(2).values();
for (const word of words) {
  const next = () => words.next().value ?? '';
  if (word === '-s') continue;
  else if (word === '-L') follows = true;
  else if (word === '-u') headers.authorization = `Basic ${Buffer.from(next()).toString('base64')}`;
  else if (word === '-H') {
    const [, name, value] = /^([^:]+):\s*(.*)$/.exec(next()) ?? [];
    headers[name.toLowerCase()] = value;
  } else if (word === '-X') method = next();
  else if (word === '-d') data.push(next());
  else if (word === '--data-urlencode') {
    const [, name, value] = /^([^=]*)=(.*)$/s.exec(next()) ?? [];
    data.push(`${name}=${encodeURIComponent(value)}`);
  } else if (word === '-b') readJar = next();
  else if (word === '-c') writeJar = next();
  else if (word === '-o') output = next();
  else if (word === '-w') format = next();
  else if (/^https?:/.test(word)) address = word;
  else throw new Error(`curl: ${word} is not understood here`);
}

/** Name → value, as a jar of Netscape's has them in its sixth and seventh column. */
const cookies = new Map(
  readJar !== undefined && existsSync(readJar)
    ? readFileSync(readJar, 'utf8')
        .split('\n')
        .map((line) => line.split('\t'))
        .flatMap((cells) => (cells.length === 7 ? [[cells[5], cells[6]]] : []))
    : [],
);

function keepCookie(text) {
  const [, name, value] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
  const isOver = /max-age=0\b/i.test(text) || new Date(/expires=([^;]+)/i.exec(text)?.[1] ?? Number.NaN) < new Date();
  if (isOver) cookies.delete(name);
  else cookies.set(name, value);
}

function send(url, verb, body) {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const sent = {
    accept: '*/*',
    'user-agent': 'curl/8.0.0',
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(Buffer.byteLength(body)) }),
    ...(cookie === '' ? {} : { cookie }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: verb, headers: sent }, (reply) => {
      const parts = [];
      reply.on('data', (part) => parts.push(part));
      reply.on('end', () => resolve({ reply, content: Buffer.concat(parts) }));
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

let body = data.length === 0 ? undefined : data.join('&');
let verb = method ?? (body === undefined ? 'GET' : 'POST');
let redirect = '';
for (let turn = 0; ; turn += 1) {
  const { reply, content } = await send(address, verb, body);
  for (const text of reply.headers['set-cookie'] ?? []) keepCookie(text);
  const { location } = reply.headers;
  redirect = location === undefined || reply.statusCode < 300 ? '' : new URL(location, address).href;
  if (follows && redirect !== '' && turn < MAX_REDIRECTS) {
    [address, verb, body] = [redirect, reply.statusCode === 307 || reply.statusCode === 308 ? verb : 'GET', undefined];
    continue;
  }
  if (output === undefined) writeSync(1, content);
  else if (output !== '/dev/null') writeFileSync(output, content);
  const told = { http_code: reply.statusCode, redirect_url: redirect, url_effective: address };
  if (format !== undefined)
    writeSync(1, format.replace(/%\{(\w+)\}/g, (_, name) => String(told[name] ?? '')).replaceAll('\\n', '\n'));
  break;
}
if (writeJar !== undefined) {
  const { hostname } = new URL(address);
  const lines = [...cookies].map(([name, value]) => [hostname, 'FALSE', '/', 'FALSE', '0', name, value].join('\t'));
  writeFileSync(writeJar, `# Netscape HTTP Cookie File\n\n${lines.join('\n')}\n`);
}
