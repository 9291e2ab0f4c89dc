/** A name that a module of JavaScript has bound to what another one exports. */
export interface BoundName {
  readonly module: string;
  /** `default`: the export of that name, or what `require` gives. `*`: all of them. */
  readonly exported: string;
  readonly local: string;
  /** The text that binds it. */
  readonly statement: string;
}

// Neither reads past the next of its kind: from each of many beginnings, it would read the rest of the text.
const IMPORT = /(?<=^|;|\*\/)[ \t]*import\b(?!\s+type\b)((?:(?!\bimport\b)[^'";])+?)\bfrom\s*['"]([^'"\n]+)['"]/gm;
const REQUIRE =
  /^[ \t]*(?:const|let|var)\s+([\w$]+|\{[^{}]*\})\s*=\s*require\(\s*['"]([^'"\n]+)['"]\s*\)(?:\.([\w$]+))?/gm;
const INLINE = /\brequire\(\s*['"]([^'"\n]+)['"]\s*\)/g;
const NAME = /^([\w$]+)(?:\s*(?:as\b|:)\s*([\w$]+))?$/;
const ALL = /^\*\s*as\s+([\w$]+)$/;

/**
 * What a module imports or requires, as its text says. Nothing is resolved.
 *
 * @example
 * boundNames(`import assert, { equal as same } from 'node:assert';`);
 * // [{module: 'assert', exported: 'default', local: 'assert', …}, {…, exported: 'equal', local: 'same', …}]
 */
export function boundNames(text: string): readonly BoundName[] {
  const imported = [...text.matchAll(IMPORT)].flatMap(([statement, clause = '', module = '']) =>
    boundIn(clause, module).map((bound) => ({ ...bound, statement })),
  );
  const required = [...text.matchAll(REQUIRE)].flatMap(([statement, clause = '', module = '', property]) =>
    boundIn(clause, module).map((bound) => {
      const isPart = property !== undefined && bound.exported === 'default';
      return { ...bound, exported: isPart ? property : bound.exported, statement };
    }),
  );
  const inline = [...text.matchAll(INLINE)].map(([local, module = '']) => {
    return { module: plainName(module), exported: 'default', local, statement: '' };
  });
  return [...imported, ...required, ...inline];
}

/** One name, or several in braces, or both with a comma between them. */
function boundIn(clause: string, given: string): readonly Omit<BoundName, 'statement'>[] {
  const module = plainName(given);
  const [, first = '', braced] = /^([^{]*)(?:\{([^}]*)\})?/.exec(clause) ?? [];
  const whole = parts(first).flatMap((part) => {
    const all = ALL.exec(part)?.[1];
    return [{ module, exported: all === undefined ? 'default' : '*', local: all ?? part }];
  });
  const named = parts(braced ?? '').flatMap((part) => {
    const [, exported, local = exported] = NAME.exec(part) ?? [];
    return exported === undefined || local === undefined ? [] : [{ module, exported, local }];
  });
  return [...whole, ...named];
}

const plainName = (module: string): string => module.replace(/^node:/, '');

const parts = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
