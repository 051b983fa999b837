// What can be wrong with a request to the map service, and how its versions say it: as a document of exceptions.

import { escapeXml } from '../../kernel/escape-xml.ts';
import type { LayerError } from '../../layer-ports/layer-access.ts';
import type { DbError } from '../../pg/driver.ts';
import type { PictureError } from '../pictures/picture-threads.ts';
import { queryFailure } from '../query-failure.ts';

export type WmsVersion = '1.1.1' | '1.3.0';

export type WmsFault = {
  /** As the standard names it; undefined: it has no name for it. */
  readonly code: string | undefined;
  readonly text: string;
  readonly locator?: string;
  /** Of HTTP; 400 unless said. */
  readonly status?: number;
  /** For the log alone: what it was that the client is not told. */
  readonly cause?: unknown;
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

export function databaseFault(error: LayerError | DbError): WmsFault {
  const cause = error.kind === 'database' ? error.error : error;
  return { code: undefined, text: 'the database does not answer; try again later', status: 503, cause };
}

export function filterFault(said: string): WmsFault {
  return { code: 'InvalidParameterValue', text: `CQL_FILTER: ${said}`, locator: 'CQL_FILTER' };
}

const TOO_LONG = 'the map takes too long to draw; ask for a smaller part of it';

/** `isFiltered`: what a filter asks of values may fail when they are looked at; then the filter is wrong, and not the database. */
export function renderFault(error: PictureError, isFiltered = false): WmsFault {
  switch (error.kind) {
    case 'busy':
      return { code: undefined, text: 'too many maps are asked for at once; try again later', status: 503 };
    case 'too-large':
      return {
        code: undefined,
        text: `width × height × layers is more than ${error.limit}; ask for fewer layers, or a smaller picture`,
      };
    case 'bad-filter':
      return filterFault(`${error.layer}: ${error.said}`);
    case 'raster':
      return { code: undefined, text: `the raster ${error.layer} cannot be read`, status: 500 };
    case 'too-long':
      return { code: undefined, text: TOO_LONG, status: 503 };
    case 'database':
      if (error.error.kind === 'sql' && error.error.sqlstate === '57014')
        return { code: undefined, text: TOO_LONG, status: 503 };
      if (isFiltered) {
        const failure = queryFailure(error.error);
        if (failure.kind === 'bad-request') return filterFault(failure.detail);
      }
      return databaseFault(error.error);
  }
}
