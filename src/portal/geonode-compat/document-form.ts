// `POST /documents/upload`: a document sent with the form of a page. With `no__redirect=true` scripts get `{"success": true, "url": …}`,
// a browser is sent to the document.

import { ok } from '../../kernel/result.ts';
import { type Handle, json } from '../operations/exchange.ts';
import { isOn, parseQueryParams } from '../query/query-params.ts';

export function documentForm(create: Handle): Handle {
  return async (exchange) => {
    const isScript = isOn(parseQueryParams(exchange.query).first('no__redirect'));
    const made = await create({ ...exchange, query: '' });
    if (!made.ok || made.value.status !== 201) return made;
    const { document } = JSON.parse(Buffer.from(made.value.body as Uint8Array).toString()) as {
      readonly document: { readonly pk: string };
    };
    const url = `/documents/${document.pk}`;
    return ok(isScript ? json(200, { success: true, url }) : { status: 302, headers: { Location: url } });
  };
}
