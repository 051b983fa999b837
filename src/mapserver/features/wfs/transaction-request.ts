// The body of a Transaction → what is to be done: insert, update, replace, delete, in the order they came. All three versions of the
// service. Which layers, columns and systems are meant is found later (transaction.ts). Pure.

import type { XmlElement } from '../../../geo/style/xml-tree.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { type WfsError, wfsError } from './wfs-error.ts';
import { elements, textOf } from './xml-elements.ts';

export type Action = { readonly handle: string | undefined; readonly srsName: string | undefined } & (
  | { readonly kind: 'insert'; readonly feature: XmlElement }
  | {
      readonly kind: 'update';
      readonly typeName: string;
      /** Undefined: nothing, that is, null. */
      readonly properties: readonly { readonly path: string; readonly value: XmlElement | undefined }[];
      readonly filter: XmlElement | undefined;
    }
  | { readonly kind: 'replace'; readonly feature: XmlElement; readonly filter: XmlElement }
  | { readonly kind: 'delete'; readonly typeName: string; readonly filter: XmlElement }
);

/** A feature that is inserted is an action, and so is each other element. */
const MAX_ACTIONS = 5000;

export function parseActions(children: readonly XmlElement[]): Result<readonly Action[], WfsError> {
  const actions: Action[] = [];
  for (const element of children) {
    const parsed = parseAction(element);
    if (!parsed.ok) return parsed;
    for (const action of parsed.value) actions.push(action);
    if (actions.length > MAX_ACTIONS)
      return wfsError(
        'OperationProcessingFailed',
        'Transaction',
        `A transaction has ${MAX_ACTIONS} features and actions at most: send the rest in another one.`,
      );
  }
  return ok(actions);
}

function parseAction(element: XmlElement): Result<readonly Action[], WfsError> {
  const { name, attributes } = element;
  const common = { handle: attributes['handle'], srsName: attributes['srsName'] };
  const children = elements(element);
  const filter = children.find((child) => child.name === 'Filter');
  switch (name) {
    case 'Insert': {
      const { idgen = 'GenerateNew' } = attributes;
      if (idgen !== 'GenerateNew')
        return wfsError('OptionNotSupported', 'idgen', 'Ids of new features are given by the database (GenerateNew).');
      const features = children.flatMap(featuresOf);
      return ok(features.map((feature) => ({ ...common, kind: 'insert', feature }) as const));
    }
    case 'Update': {
      const typeName = attributes['typeName'];
      if (typeName === undefined) return missing('typeName', 'An Update names its type.');
      const properties = children.filter((child) => child.name === 'Property').map(propertyOf);
      if (properties.length === 0) return missing('Property', 'An Update has properties to change.');
      if (properties.some(({ path }) => path === '')) return missing('ValueReference', 'A property has a name.');
      return ok([{ ...common, kind: 'update', typeName, properties, filter }]);
    }
    case 'Replace': {
      const [feature] = children.filter((child) => child !== filter);
      if (feature === undefined || filter === undefined)
        return missing('Replace', 'A Replace has a feature and a filter that says which one it replaces.');
      return ok([{ ...common, kind: 'replace', feature, filter }]);
    }
    case 'Delete': {
      const typeName = attributes['typeName'];
      if (typeName === undefined) return missing('typeName', 'A Delete names its type.');
      if (filter === undefined) return missing('Filter', 'A Delete has a filter that says what is deleted.');
      return ok([{ ...common, kind: 'delete', typeName, filter }]);
    }
    case 'Native':
      return attributes['safeToIgnore'] === 'true'
        ? ok([])
        : wfsError('OptionNotSupported', 'Native', 'Native operations are not known here.');
    case 'LockId':
      return wfsError('OptionNotSupported', 'LockId', 'Features are not locked here.');
    default:
      return wfsError(
        'OperationParsingFailed',
        name.slice(0, 50),
        `${name.slice(0, 50)} is no action of a transaction.`,
      );
  }
}

function missing(locator: string, said: string): Result<never, WfsError> {
  return wfsError('MissingParameterValue', locator, said);
}

/** Features may come in a collection. */
function featuresOf(element: XmlElement): readonly XmlElement[] {
  if (element.name !== 'FeatureCollection') return [element];
  return elements(element)
    .filter(({ name }) => name === 'featureMember' || name === 'featureMembers' || name === 'member')
    .flatMap(elements);
}

function propertyOf(element: XmlElement): { readonly path: string; readonly value: XmlElement | undefined } {
  const parts = elements(element);
  const name = parts.find((part) => part.name === 'ValueReference' || part.name === 'Name');
  return {
    path: name === undefined ? '' : textOf(name).trim(),
    value: parts.find((part) => part.name === 'Value'),
  };
}
