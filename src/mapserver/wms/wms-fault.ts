// What can be wrong with a request to the map service, and how its versions say it: as a document of exceptions.

import { escapeXml } from '../../geo/style/xml-tree.ts';

export type WmsVersion = '1.1.1' | '1.3.0';

export type WmsFault = {
  /** As the standard names it; undefined: it has no name for it. */
  readonly code: string | undefined;
  readonly text: string;
  readonly locator?: string;
  /** Of HTTP; 400 unless said. */
  readonly status?: number;
};

export type FaultBody = { readonly status: number; readonly type: string; readonly body: string };

export function faultBody({ code, text, locator, status = 400 }: WmsFault, version: WmsVersion): FaultBody {
  const attributes = `${code === undefined ? '' : ` code="${escapeXml(code)}"`}${locator === undefined ? '' : ` locator="${escapeXml(locator)}"`}`;
  const exception = `<ServiceException${attributes}>${escapeXml(text)}</ServiceException>`;
  if (version === '1.1.1')
    return {
      status,
      type: 'application/vnd.ogc.se_xml; charset=utf-8',
      body: `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!DOCTYPE ServiceExceptionReport SYSTEM "http://schemas.opengis.net/wms/1.1.1/exception_1_1_1.dtd">\n<ServiceExceptionReport version="1.1.1">${exception}</ServiceExceptionReport>\n`,
    };
  return {
    status,
    type: 'text/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/ogc http://schemas.opengis.net/wms/1.3.0/exceptions_1_3_0.xsd">${exception}</ServiceExceptionReport>\n`,
  };
}
