// HTML that people wrote, made harmless: text, lists, links and tables remain; scripts, styles, forms, frames and pictures of
// other sites do not. The content policy of the page stands behind it.

import DOMPurify from 'dompurify';
import { useEffect, useRef } from 'react';

const TAGS =
  'a abbr b blockquote br code dd del div dl dt em h2 h3 h4 h5 h6 hr i img ins kbd li ol p pre q s small span strong sub sup table tbody td tfoot th thead tr u ul'.split(
    ' ',
  );
const ATTRIBUTES = ['href', 'title', 'alt', 'src', 'colspan', 'rowspan', 'lang', 'dir'];

function cleanHtml(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/(?!\/)|#)/i,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll('a[href]')) {
    if (/^https?:/i.test(link.getAttribute('href') ?? '')) {
      link.setAttribute('target', '_blank');
      link.setAttribute('rel', 'noopener noreferrer nofollow');
    }
  }
  for (const picture of fragment.querySelectorAll('img')) {
    if (!/^\/(?!\/)/.test(picture.getAttribute('src') ?? '')) picture.remove();
    else if (!picture.hasAttribute('alt')) picture.setAttribute('alt', '');
  }
  return fragment;
}

export function UserHtml({ html }: { readonly html: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.replaceChildren(cleanHtml(html));
  }, [html]);
  return <div className="user-html" ref={box} />;
}
