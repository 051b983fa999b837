// What can be wrong with a request to the coverage service, and how each version says it: as a report of exceptions.

import { escapeXml } from '../xml-text.ts';

export type WcsVersion = '1.0.0' | '1.1.0' | '1.1.1' | '1.1.2' | '2.0.1';

export type WcsFault = {
  /** As the standards name it. */
  readonly code:
    | 'InvalidParameterValue'
    | 'MissingParameterValue'
    | 'VersionNegotiationFailed'
    | 'OperationNotSupported'
    | 'OperationParsingFailed'
    | 'NoSuchCoverage'
    | 'InvalidAxisLabel'
    | 'InvalidSubsetting'
    | 'InvalidScaleFactor'
    | 'InvalidExtent'
    | 'NoSuchField'
    | 'SubsettingCrs-NotSupported'
    | 'OutputCrs-NotSupported'
    | 'NoApplicableCode';
  readonly text: string;
  readonly locator?: string;
  /** Of HTTP; what the code says unless it is said. */
  readonly status?: number;
  /** For the log alone. */
  readonly cause?: unknown;
};

const STATUS: Readonly<Partial<Record<WcsFault['code'], number>>> = {
  NoSuchCoverage: 404,
  InvalidAxisLabel: 404,
  InvalidSubsetting: 404,
  InvalidScaleFactor: 404,
  InvalidExtent: 404,
  NoSuchField: 404,
  OperationNotSupported: 501,
};

export type FaultReply = { readonly status: number; readonly type: string; readonly body: string };

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function faultReply({ code, text, locator, status }: WcsFault, version: WcsVersion): FaultReply {
  const where = locator === undefined ? '' : ` locator="${escapeXml(locator)}"`;
  if (version === '1.0.0')
    return {
      status: status ?? 400,
      type: 'application/vnd.ogc.se_xml; charset=utf-8',
      body: `${HEAD}<ServiceExceptionReport version="1.2.0" xmlns="http://www.opengis.net/ogc"><ServiceException code="${code === 'NoSuchCoverage' ? 'CoverageNotDefined' : code}"${where}>${escapeXml(text)}</ServiceException></ServiceExceptionReport>\n`,
    };
  const ows = version === '2.0.1' ? 'http://www.opengis.net/ows/2.0' : 'http://www.opengis.net/ows/1.1';
  return {
    status: status ?? (version === '2.0.1' ? (STATUS[code] ?? 400) : 400),
    type: 'text/xml; charset=utf-8',
    body: `${HEAD}<ows:ExceptionReport xmlns:ows="${ows}" version="${version}"><ows:Exception exceptionCode="${code}"${where}><ows:ExceptionText>${escapeXml(text)}</ows:ExceptionText></ows:Exception></ows:ExceptionReport>\n`,
  };
}
