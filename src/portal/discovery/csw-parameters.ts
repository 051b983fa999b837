// Parameters of the catalogue service whose values are a closed list, by operation: what its capabilities say, GetDomain answers and requests are
// held against. Pure.

export const CSW_SCHEMAS = {
  csw: 'http://www.opengis.net/cat/csw/2.0.2',
  gmd: 'http://www.isotc211.org/2005/gmd',
} as const;

const TYPE_NAMES = ['csw:Record', 'gmd:MD_Metadata'];
const FORMATS = ['application/xml'];
const ANSWER = {
  outputSchema: Object.values(CSW_SCHEMAS),
  outputFormat: FORMATS,
  ElementSetName: ['brief', 'summary', 'full'],
};

type Parameters = Readonly<Record<string, readonly string[]>>;

export const CSW_PARAMETERS: Readonly<Record<string, Parameters>> = {
  GetCapabilities: {
    sections: ['ServiceIdentification', 'ServiceProvider', 'OperationsMetadata', 'Filter_Capabilities'],
  },
  DescribeRecord: {
    typeName: TYPE_NAMES,
    outputFormat: FORMATS,
    schemaLanguage: ['http://www.w3.org/XML/Schema', 'http://www.w3.org/2001/XMLSchema', 'XMLSCHEMA'],
  },
  GetDomain: {},
  GetRecords: {
    resultType: ['hits', 'results', 'validate'],
    ...ANSWER,
    CONSTRAINTLANGUAGE: ['CQL_TEXT', 'FILTER'],
    typeNames: TYPE_NAMES,
  },
  GetRecordById: ANSWER,
};

/** `GetRecords.resultType` → its values, in any case; undefined: no such parameter, or one of which any value is good. */
export function valuesOfParameter(name: string): readonly string[] | undefined {
  const [operation, parameter] = name.toLowerCase().split('.', 2);
  const parameters = entryOf(CSW_PARAMETERS, operation);
  return parameters === undefined ? undefined : entryOf(parameters, parameter);
}

function entryOf<T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined {
  return Object.entries(table).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Which kind of record a type name means, whatever prefix the client gave to its namespace. */
export function schemaOfType(name: string): keyof typeof CSW_SCHEMAS | undefined {
  switch (name.slice(Math.max(name.lastIndexOf(':'), name.lastIndexOf('}')) + 1)) {
    case 'Record':
    case 'BriefRecord':
    case 'SummaryRecord':
      return 'csw';
    case 'MD_Metadata':
      return 'gmd';
    default:
      return undefined;
  }
}
