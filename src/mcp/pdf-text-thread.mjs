// A thread that reads the text of one PDF, page by page, until there is enough of it. PDF.js is in a thread of its own because a file from
// anywhere may keep it busy, or fill its memory, for as long as it likes: whoever started the thread ends it.

import { parentPort, workerData } from 'node:worker_threads';
import { getDocumentProxy } from 'unpdf';

const { bytes, maxCharacters } = workerData;
const document = await getDocumentProxy(bytes, { isEvalSupported: false, stopAtErrors: false });
let text = '';
let page = 0;
while (page < document.numPages && text.length <= maxCharacters) {
  page += 1;
  const { items } = await (await document.getPage(page)).getTextContent();
  const words = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
  text += `${text === '' ? '' : '\n\n'}${words}`;
}
parentPort.postMessage({ text: text.slice(0, maxCharacters), pages: page, ofPages: document.numPages });
