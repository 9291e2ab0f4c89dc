import ts from 'typescript';
import type { Tree } from './tree.ts';

/** A function that is longer holds a second idea, which has a name. */
export const LONGEST_FUNCTION_LINES = 60;

const isOurs = (path: string): boolean => /^(src|machines)\/.*\.(ts|tsx|mjs)$/.test(path);

/** The files that are counted, with their text. */
const ours = (tree: Tree): readonly (readonly [string, string])[] => [...tree].filter(([path]) => isOurs(path));

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Verbs without `-ed`, as far as their participle is no verb and no noun as well. */
const IRREGULAR = wordSet(
  'given taken kept left gone lost held made remade rebuilt built begun forgotten known found sent told said shown met unmet brought drawn done driven written chosen broken frozen hidden laid proven seen unseen meant worn bought caught fallen grown paid sold stolen sworn taught thrown torn won',
);
/** Words that only look like participles: a thing, a verb, or a name. */
const NOT_PARTICIPLES = wordSet(
  'embed feed need seed speed shed bring ring string thing king spring sibling ending finding housekeeping listing opening pricing ranking reading recording ruling saving setting tampering thinking timing',
);

const isParticiple = (word: string): boolean =>
  !NOT_PARTICIPLES.has(word) && (IRREGULAR.has(word) || /[a-z]{2}(?:ed|ing)$/.test(word));

/** The files of which the name begins with a participle: it says what was done to a thing, and not which thing. */
export const participleNames = (tree: Tree): string[] =>
  ours(tree)
    .map(([path]) => path)
    .filter((path) => isParticiple(/([^/.-]+)[^/]*$/.exec(path)?.[1] ?? ''));

/** The functions that are too long, as `97 lines: src/a.ts, name`, the longest first. */
export function longFunctions(tree: Tree): string[] {
  const found = ours(tree).flatMap(([path, text]) => functionsOver(path, text));
  return found.toSorted((one, other) => other.lines - one.lines).map(({ lines, at }) => `${lines} lines: ${at}`);
}

function functionsOver(path: string, text: string): { readonly lines: number; readonly at: string }[] {
  // To parse every file takes seconds, and most are too short to have one.
  if (linesIn(text) <= LONGEST_FUNCTION_LINES) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const found: { lines: number; at: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const first = lineAt(node.getStart());
      const lines = lineAt(node.end) - first + 1;
      if (lines > LONGEST_FUNCTION_LINES) found.push({ lines, at: `${path}, ${nameOf(node) ?? `line ${first}`}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the name of a function, or of what it is given to. */
function nameOf(node: ts.SignatureDeclaration): string | undefined {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  if (node.name) return node.name.getText();
  const { parent } = node;
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : undefined;
}

const linesIn = (text: string): number => text.trimEnd().split('\n').length;
const importsIn = (text: string): number => text.match(/^import\b/gm)?.length ?? 0;

/** The imports for each thousand lines, and the files that have the most of them for their length. */
export function importShare(tree: Tree): { readonly aThousandLines: number; readonly most: readonly string[] } {
  const files = ours(tree).map(([path, text]) => ({ path, imports: importsIn(text), lines: linesIn(text) }));
  const sumOf = (of: 'imports' | 'lines'): number => files.reduce((sum, file) => sum + file[of], 0);
  const share = ({ imports, lines }: { readonly imports: number; readonly lines: number }): number => imports / lines;
  return {
    aThousandLines: (1_000 * sumOf('imports')) / sumOf('lines'),
    most: files
      .toSorted((one, other) => share(other) - share(one))
      .slice(0, MOST_NAMED)
      .map(({ path, imports, lines }) => `${path}: ${imports} in ${lines} lines`),
  };
}

const MOST_NAMED = 20;
