// HTML of people → HTML that does nothing but show text, lists, tables and links, for programs that put it into pages of their own. It is written anew of
// what is known: whatever is not a tag from the list, with attributes from the list, is text. Pure.

import { escapeXml } from '../../kernel/escape-xml.ts';

const TAGS: ReadonlySet<string> = new Set(
  'a abbr b blockquote br caption code dd del div dl dt em h2 h3 h4 h5 h6 hr i ins kbd li ol p pre q s small span strong sub sup table tbody td tfoot th thead tr u ul'.split(
    ' ',
  ),
);
/** Without a word of what is in them. */
const SILENT: ReadonlySet<string> = new Set(['script', 'style', 'template', 'iframe', 'object', 'svg', 'math']);
const ATTRIBUTES: ReadonlySet<string> = new Set(['href', 'title', 'colspan', 'rowspan', 'lang', 'dir']);
/** As it stands: what is written as an entity there is none of these. */
const ADDRESS = /^(?:https?:\/\/|mailto:|\/(?![/\\])|#)/i;

const TAG = /^<(\/?)([a-z][a-z0-9]{0,20})(?=[\s/>])((?:[^<>"']|"[^"]*"|'[^']*')*)>/i;
/** Longer ones are text: nobody looks for the end of a tag in all that follows. */
const MAX_TAG = 4000;
const ATTRIBUTE = /([a-z-]{1,30})\s{0,10}=\s{0,10}(?:"([^"]*)"|'([^']*)')/gi;

export function cleanHtml(html: string): string {
  const lower = html.toLowerCase();
  const out: string[] = [];
  let at = 0;
  while (at < html.length) {
    const next = html.indexOf('<', at);
    const text = html.slice(at, next < 0 ? html.length : next);
    out.push(text.replaceAll('>', '&gt;'));
    if (next < 0) break;
    const found = TAG.exec(html.slice(next, next + MAX_TAG));
    if (found === null) {
      const isComment = html.startsWith('<!', next) || html.startsWith('<?', next);
      const end = isComment ? html.indexOf('>', next) : -1;
      if (!isComment) out.push('&lt;');
      at = isComment ? (end < 0 ? html.length : end + 1) : next + 1;
      continue;
    }
    const [whole, slash = '', spelled = '', attributes = ''] = found;
    const name = spelled.toLowerCase();
    at = next + whole.length;
    if (TAGS.has(name)) out.push(slash === '/' ? `</${name}>` : `<${name}${cleanAttributes(attributes)}>`);
    else if (name === 'img' && slash === '') out.push(pictureLink(attributes));
    else if (SILENT.has(name) && slash === '') at = endOf(lower, name, at);
  }
  return out.join('');
}

function cleanAttributes(attributes: string): string {
  return attributesIn(attributes)
    .filter(([name, value]) => ATTRIBUTES.has(name) && (name !== 'href' || ADDRESS.test(value)))
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');
}

/** Values keep their entities; what would end them does not stand in them. */
function attributesIn(text: string): readonly (readonly [name: string, value: string])[] {
  return [...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single]) => [
    name.toLowerCase(),
    (double ?? single ?? '').replace(/["<>]/g, escapeXml),
  ]);
}

/** Who shows the page loads nothing for it. */
function pictureLink(attributes: string): string {
  const all = new Map(attributesIn(attributes));
  const [from = '', named = ''] = [all.get('src'), all.get('alt')];
  return ADDRESS.test(from) ? `<a href="${from}">${named === '' ? '…' : named}</a>` : named;
}

function endOf(html: string, name: string, from: number): number {
  const end = html.indexOf(`</${name}`, from);
  const close = end < 0 ? -1 : html.indexOf('>', end);
  return close < 0 ? html.length : close + 1;
}
