import { nameOf } from '../workspace-paths.ts';

/** The names of a makefile, as make looks for them. */
export const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'] as const;

interface Rule {
  readonly needs: readonly string[];
  readonly lines: readonly string[];
}

interface Rules {
  readonly byTarget: ReadonlyMap<string, Rule>;
  readonly phony: ReadonlySet<string>;
}

const RULE = /^([\w./-]+)[ \t]*:(?![:=])[ \t]*([\w./ \t-]*?)[ \t]*(?:#.*)?$/;
const BLANK = /^\s*(?:#.*)?$/;
/** A line whose failure counts, that make hands to the shell as it is. */
const RECIPE = /^\t@?[ \t]*([^-+@\s$][^$]*)$/;

/** The target that a command asks make for, and no more. Null: another command. Empty: the first one of the file. */
export function makeTarget([program, target = '', ...more]: readonly string[]): string | null {
  return program === 'make' && more.length === 0 && /^[\w./]*[\w./-]*$/.test(target) && !target.startsWith('-')
    ? target
    : null;
}

/**
 * The commands that make runs for a target, in order, where its file has plain rules alone: no variable, no condition,
 * no pattern, no file of another name. Null: it has others, or a target may be up to date. `isThere`: the tree has it.
 */
export function recipeOf(text: string, asked: string, isThere: (path: string) => boolean): readonly string[] | null {
  const rules = rulesIn(text);
  if (!rules) return null;
  const { byTarget, phony } = rules;
  const target = asked === '' ? byTarget.keys().next().value : asked;
  const done = new Set<string>();
  const lines: string[] = [];
  return target !== undefined && byTarget.has(target) && make(target) ? lines : null;

  /** False: it is not sure what is run. */
  function make(name: string): boolean {
    if (done.has(name)) return true;
    done.add(name);
    const rule = byTarget.get(name);
    if (!rule) return isThere(name);
    if (!phony.has(name) && isThere(name)) return false;
    const isMade = rule.needs.every(make);
    lines.push(...rule.lines);
    return isMade;
  }
}

/** Null: it has another line. */
function rulesIn(text: string): Rules | null {
  const byTarget = new Map<string, { needs: readonly string[]; lines: string[] }>();
  const phony = new Set<string>();
  let open: { lines: string[] } | null = null;
  for (const line of text.split('\n')) {
    if (line.endsWith('\\')) return null;
    if (line.startsWith('\t')) {
      const command = RECIPE.exec(line)?.[1];
      if (!open || command === undefined) return null;
      open.lines.push(command);
    } else if (!BLANK.test(line)) {
      const [, target = '', needs = ''] = RULE.exec(line) ?? [];
      const names = needs.split(/[ \t]+/).filter((name) => name !== '');
      const isPhony = target === '.PHONY';
      if (target === '' || (nameOf(target).startsWith('.') && !isPhony) || byTarget.has(target)) return null;
      for (const name of isPhony ? names : []) phony.add(name);
      open = isPhony ? null : { lines: [] };
      if (open) byTarget.set(target, { needs: names, lines: open.lines });
    }
  }
  return { byTarget, phony };
}
