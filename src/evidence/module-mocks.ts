/** The text of a `go.mod`, parted into what replaces modules and all else. */
export interface ReplacedModules {
  /** Without the white space around each line. */
  readonly replaced: readonly string[];
  readonly rest: readonly string[];
}

/**
 * Parts a `go.mod` as Go reads it, line by line: any line may be indented, and a comment may hold brackets.
 *
 * @example
 * replacedModules('module m\n\treplace a => ./a // as (b)\n').replaced; // ['replace a => ./a // as (b)']
 */
export function replacedModules(text: string): ReplacedModules {
  const replaced: string[] = [];
  const rest: string[] = [];
  let isInBlock = false;
  for (const line of text.split('\n')) {
    const code = line.replace(/\/\/.*/, '').trim();
    const isReplacing: boolean = isInBlock || /^replace(?=[\s(]|$)/.test(code);
    if (isReplacing) replaced.push(line.trim());
    else rest.push(line);
    isInBlock = isInBlock ? !code.startsWith(')') : /^replace\s*\($/.test(code);
  }
  return { replaced, rest };
}
