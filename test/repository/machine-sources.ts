import ts from 'typescript';

/** What a decision must not touch: clocks, chance, the process and the world. */
const WORLD = new Set(
  'process performance crypto globalThis global console fetch require setTimeout setInterval setImmediate'.split(' '),
);
const PACKAGES = new Set(['xstate', 'immer', 'zod']);

/** Where a source of `machines/` is not pure, or a chart in it cannot be read by an editor: `line N: what`. */
export function impurities(text: string): string[] {
  const source = ts.createSourceFile('machine.ts', text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const what = impurity(node) ?? unreadable(node);
    if (what) found.push(`line ${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}: ${what}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function impurity(node: ts.Node): string | null {
  if (ts.isImportDeclaration(node)) return foreign(node.moduleSpecifier.getText().slice(1, -1));
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return 'import()';
  if (ts.isAwaitExpression(node) || node.kind === ts.SyntaxKind.AsyncKeyword) return 'async';
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) return 'new Date()';
  if (ts.isCallExpression(node) && node.expression.getText() === 'Date') return 'Date()';
  if (ts.isPropertyAccessExpression(node)) {
    const chain = node.getText();
    if (chain === 'Date.now' || chain === 'Math.random') return chain;
  }
  return ts.isIdentifier(node) && WORLD.has(node.text) && isReference(node) ? node.text : null;
}

const foreign = (path: string) =>
  PACKAGES.has(path) || /^[.]{1,2}\/[\w.-]+[.]ts$/.test(path) ? null : `import of ${path}`;

/** A word of our own may be spelled like one of the world: a member of an object is ours. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return !(ts.isPropertyAssignment(parent) && parent.name === node) && !ts.isPropertySignature(parent);
}

/** Editors of charts read literals. What is computed, spread or imported disappears from their sight without a word. */
function unreadable(node: ts.Node): string | null {
  const chart = chartAround(node);
  if (!chart || chart === node) return null;
  if (ts.isSpreadAssignment(node) || ts.isSpreadElement(node)) return 'a spread in a chart';
  if (ts.isComputedPropertyName(node)) return 'a computed name in a chart';
  if (ts.isShorthandPropertyAssignment(node)) return 'a variable in a chart';
  if (!ts.isPropertyAssignment(node) && !ts.isArrayLiteralExpression(node.parent)) return null;
  const value = ts.isPropertyAssignment(node) ? node.initializer : node;
  return LITERALS.includes(value.kind) ? null : `${value.getText().split('\n')[0]} in a chart`;
}

const LITERALS: readonly ts.SyntaxKind[] = [
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.NumericLiteral,
  ts.SyntaxKind.ObjectLiteralExpression,
  ts.SyntaxKind.ArrayLiteralExpression,
  ts.SyntaxKind.TrueKeyword,
  ts.SyntaxKind.FalseKeyword,
  ts.SyntaxKind.NullKeyword,
];

/** The chart that a node belongs to; its context is no part of it. */
function chartAround(node: ts.Node): ts.Node | null {
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'context') return null;
  const { parent } = node;
  if (!parent) return null;
  if (!ts.isCallExpression(parent) || parent.arguments[0] !== node) return chartAround(parent);
  return parent.expression.getText().endsWith('createMachine') ? node : chartAround(parent);
}
