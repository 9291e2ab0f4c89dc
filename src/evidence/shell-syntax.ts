import { type Command, forEachChild, parse, type SyntaxNode } from 'unbash';

/** Parts that are nested deeper are not looked at: no command that does something is, and a model may repeat itself. */
const MAX_DEPTH = 100;

/**
 * The parts of a command as a shell reads it, in no order: commands, pipelines, and what is substituted within.
 *
 * @example
 * partsOf('cat "$(ls)"').filter(({ type }) => type === 'Command').length; // 2
 */
export function partsOf(command: string): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const open: { readonly node: SyntaxNode; readonly depth: number }[] = [{ node: parse(command), depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const depth = next.depth + 1;
    found.push(next.node);
    if (depth <= MAX_DEPTH) forEachChild(next.node, (node) => void open.push({ node, depth }));
  }
  return found;
}

/** The name of a program and its arguments, without quotation marks. */
export const wordsOf = ({ name, args }: Command): readonly string[] => [
  name?.value ?? '',
  ...args.map((word) => (word.type === 'Word' ? word.value : word.text)),
];
