import ts from 'typescript';
import type { EditKind } from './edits.ts';

export interface Alteration {
  readonly kind: EditKind;
  readonly at: ts.Node;
  /** Null: the statement is left out. */
  readonly text: string | null;
}

/** Comparisons of which the border moves, or which hold where they did not. */
const COMPARISONS = new Map<string, string>([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['===', '!=='],
  ['!==', '==='],
  ['==', '!='],
  ['!=', '=='],
]);
const OPERATORS = new Map<string, string>([
  ['&&', '||'],
  ['||', '&&'],
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
]);
/** Methods of lists that ask a condition of each member. */
const ASKING = new Set(['filter', 'find', 'findLast', 'findIndex', 'some', 'every']);
const OPPOSITES = new Map([
  ['Math.min', 'Math.max'],
  ['Math.max', 'Math.min'],
]);

/** What may become of one node. */
export function altered(node: ts.Node): Alteration[] {
  if (isExpressionStatement(node)) return [{ kind: 'statement dropped', at: node, text: null }];
  if (ts.isIfStatement(node)) return negated(node.expression);
  if (ts.isConditionalExpression(node)) return negated(node.condition);
  if (ts.isBinaryExpression(node)) return operated(node);
  if (ts.isCallExpression(node)) return called(node);
  if (ts.isNumericLiteral(node) && isValue(node))
    return [{ kind: 'constant replaced', at: node, text: Number(node.text.replaceAll('_', '')) === 0 ? '1' : '0' }];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ kind: 'constant replaced', at: node, text: 'false' }];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ kind: 'constant replaced', at: node, text: 'true' }];
  return isText(node) ? [{ kind: 'text emptied', at: node, text: "''" }] : [];
}

/** Without it the machine would not even begin: a directive or the call of a parent's constructor. */
const isExpressionStatement = (node: ts.Node): node is ts.ExpressionStatement =>
  ts.isExpressionStatement(node) &&
  !ts.isStringLiteral(node.expression) &&
  !(ts.isCallExpression(node.expression) && node.expression.expression.kind === ts.SyntaxKind.SuperKeyword);

const negated = (at: ts.Expression): Alteration[] => [{ kind: 'condition negated', at, text: `!(${at.getText()})` }];

function operated(at: ts.BinaryExpression): Alteration[] {
  const sign = at.operatorToken.getText();
  const isEquality = /^[!=]==?$/.test(sign);
  // The same edit as the negated condition.
  if (isEquality && isCondition(at)) return [];
  const moved = COMPARISONS.get(sign);
  const swapped = OPERATORS.get(sign);
  const isOfTexts = sign === '+' && [at.left, at.right].some(isText);
  const other = moved ?? (isOfTexts ? undefined : swapped);
  if (other === undefined) return [];
  const text = `(${at.left.getText()}) ${other} (${at.right.getText()})`;
  return [{ kind: moved === undefined ? 'operator swapped' : 'comparison moved', at, text }];
}

function called(at: ts.CallExpression): Alteration[] {
  const opposite = OPPOSITES.get(at.expression.getText());
  if (opposite !== undefined) return [{ kind: 'operator swapped', at: at.expression, text: opposite }];
  const [first] = at.arguments;
  if (!first || !ts.isPropertyAccessExpression(at.expression) || !ASKING.has(at.expression.name.text)) return [];
  if (ts.isIdentifier(first))
    return [{ kind: 'condition negated', at: first, text: `(...asked) => !${first.text}(...asked)` }];
  return ts.isArrowFunction(first) && !ts.isBlock(first.body) && !isComparison(first.body) ? negated(first.body) : [];
}

const isCondition = ({ parent }: ts.Expression): boolean =>
  ts.isIfStatement(parent) || ts.isConditionalExpression(parent);
const isComparison = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node) && COMPARISONS.has(node.operatorToken.getText());

/** Not a name, such as the key of a property. */
const isValue = ({ parent }: ts.Node): boolean => !ts.isPropertyAssignment(parent) || !ts.isNumericLiteral(parent.name);

/** A text is for people: names and codes have no blanks in them. */
function isText(node: ts.Node): boolean {
  if (ts.isTaggedTemplateExpression(node.parent ?? node)) return false;
  if (ts.isTemplateExpression(node)) return /\s/.test(textOf(node));
  return (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) && /\s/.test(node.text);
}

const textOf = ({ head, templateSpans }: ts.TemplateExpression): string =>
  [head.text, ...templateSpans.map(({ literal }) => literal.text)].join('');
