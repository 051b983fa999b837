// The part of a condition that its values do not change, as text: two conditions have the same shape exactly when they
// differ in nothing but values. Whatever a client could write is led by its length, so no name can pass for structure.

import { assertNever } from '../../kernel/assert-never.ts';
import type { EmbedPath, Field, Filter, LogicTree, Operation } from './api-request.ts';

export function measured(text: string): string {
  return `${text.length}:${text}`;
}

export function pathShape(at: EmbedPath): string {
  let shape = '';
  for (const name of at) shape += `${measured(name)}.`;
  return shape;
}

export function conditionShape(filter: Filter): string {
  return filter.negated ? `!${operationShape(filter.operation)}` : operationShape(filter.operation);
}

function operationShape(operation: Operation): string {
  switch (operation.kind) {
    case 'compare':
      return operation.quantifier === undefined ? operation.operator : `${operation.operator}(${operation.quantifier})`;
    case 'in':
      return operation.empty ? 'in()' : 'in';
    case 'is':
      return `is ${operation.word}`;
    case 'search':
      return operation.language === undefined ? operation.operator : `${operation.operator}(${operation.language})`;
    case 'column':
      return `${operation.operator}(col)${fieldShape(operation.other)}`;
    case 'spatial':
      return `${operation.relation}:${operation.geometry.format}`;
    case 'dwithin':
      return `dwithin:${operation.geometry.format}`;
    case 'bbox':
      return `bbox:${operation.srid ?? ''}`;
    case 'similar':
      return 'similar';
    default:
      return assertNever(operation);
  }
}

export function logicShape(tree: LogicTree): string {
  if (tree.kind === 'filter') return `${fieldShape(tree.filter.field)}=${conditionShape(tree.filter)}`;
  let shape = `${tree.negated ? '!' : ''}${tree.operator}(`;
  for (const child of tree.children) shape += `${logicShape(child)},`;
  return `${shape})`;
}

function fieldShape(field: Field): string {
  let shape = measured(field.name);
  for (const { arrow, operand } of field.path) {
    shape += operand.kind === 'key' ? `${arrow}${measured(operand.key)}` : `${arrow}#${operand.index}`;
  }
  return shape;
}
