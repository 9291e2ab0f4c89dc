import ts from 'typescript';
import { altered } from './alterations.ts';

/** What is changed, one place at a time. */
export const EDITS = [
  'condition negated',
  'comparison moved',
  'operator swapped',
  'constant replaced',
  'text emptied',
  'statement dropped',
] as const;
export type EditKind = (typeof EDITS)[number];

/** One edit of a source file. */
export interface Edit {
  /** The file, the declaration, and what becomes of which code: stays the same where lines move. */
  readonly id: string;
  readonly kind: EditKind;
  readonly start: number;
  readonly end: number;
  /** The code that stands in its place. Null: a statement that is left out. */
  readonly text: string | null;
}

const MAX_CODE_CHARACTERS = 60;

/**
 * Every edit of a source file, in the order of its code.
 *
 * @example
 * editsOf('budget/near.ts', source)[0]?.id; // 'budget/near.ts nearing: limit !== null -> limit === null'
 */
export function editsOf(file: string, source: string): Edit[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const edits: Edit[] = [];
  const times = new Map<string, number>();
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (isImpossible(node)) return;
    for (const { kind, at, text } of altered(node)) {
      const id = `${file} ${placeOf(node)}: ${short(at.getText())} -> ${text === null ? 'dropped' : short(text)}`;
      const before = times.get(id) ?? 0;
      times.set(id, before + 1);
      const name = before === 0 ? id : `${id} (${before + 1})`;
      edits.push({ id: name, kind, start: at.getStart(), end: at.getEnd(), text });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return edits;
}

/** The names of the declarations around it, outermost first: `NextCall.observe`. */
function placeOf(node: ts.Node): string {
  const names: string[] = [];
  for (let around: ts.Node | undefined = node; around; around = around.parent) {
    if (isNamed(around) && around.name) names.unshift(around.name.getText());
    if (ts.isConstructorDeclaration(around)) names.unshift('constructor');
  }
  return names.join('.') || 'file';
}

/** A plain error that is thrown says what cannot be: no program and no user relies on its text. */
const isImpossible = (node: ts.Node): boolean =>
  ts.isNewExpression(node) && node.expression.getText() === 'Error' && ts.isThrowStatement(node.parent);

function short(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ');
  return line.length <= MAX_CODE_CHARACTERS ? line : `${line.slice(0, MAX_CODE_CHARACTERS)}…`;
}

const isNamed = (node: ts.Node): node is ts.NamedDeclaration =>
  ts.isFunctionDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isAccessor(node) ||
  ts.isPropertyDeclaration(node) ||
  (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name));
