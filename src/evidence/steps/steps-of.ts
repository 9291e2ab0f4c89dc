import type { Check } from '../../../machines/settings.ts';
import { oneLine } from '../../text/one-line.ts';
import { joined } from '../workspace-paths.ts';
import { MAKEFILES, makeTarget, recipeOf } from './make-recipe.ts';
import { type CalledScript, type ScriptPart, scriptCalled } from './package-scripts.ts';
import { inOwnShell, led, type Shell, type Step, stepOf, type StepTree } from './script-shell.ts';
import { folderAfter, listOf, type ListPart } from './shell-list.ts';

/** A check of more steps runs as one. */
export const MAX_STEPS = 20;
/** Scripts that are called by scripts are followed so deep. */
const MAX_DEPTH = 4;
/** Commands that are taken apart for one check. */
const MAX_LOOKS = 100;
const MAX_LABEL_CHARACTERS = 80;
/** Marks of what a manager alone puts in. */
const BY_MANAGER = /npm_|%/;
const CALLS_MANAGER = /\b(?:npm|pnpm|yarn|bun|run-[sp])\b/;

/**
 * The checks that the steps of a check are, in order, for one that runs in a folder of a tree. Null: it has one step,
 * or it is not sure where it can be cut. Each step keeps the time, the network and the level of its check.
 */
export function stepsOf(check: Check, folder: string, tree: StepTree): readonly Check[] | null {
  const steps = stepsIn(check.command, {
    ...tree,
    folder,
    setup: [],
    script: null,
    depth: 0,
    looks: { left: MAX_LOOKS },
  });
  if (!steps || steps.length < 2 || steps.length > MAX_STEPS) return null;
  const { report: _, ...shared } = check;
  const seen = new Map<string, number>();
  return steps.map(({ label, command }, at) => {
    const name = `${check.name}: ${oneLine(label, MAX_LABEL_CHARACTERS)}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const isLast = at === steps.length - 1;
    return { ...(isLast ? check : shared), name: count > 1 ? `${name} (${count})` : name, command };
  });
}

/** Null: it is not sure where it can be cut. */
function stepsIn(command: string, shell: Shell): readonly Step[] | null {
  shell.looks.left -= 1;
  const parts = shell.looks.left < 0 || (shell.script && BY_MANAGER.test(command)) ? null : listOf(command);
  const steps: Step[] = [];
  let { folder, setup } = shell;
  for (const part of parts ?? []) {
    const here = { ...shell, folder, setup };
    const after = folderAfter(part, folder);
    if (after === null) return null;
    if (part.isSetup) setup = [...setup, part.text];
    else steps.push(...(followed(part, here) ?? [stepOf(part, here)]));
    folder = after;
  }
  return parts && steps;
}

/** The steps of what a part calls. Null: it calls nothing of several steps. */
function followed({ words }: ListPart, shell: Shell): readonly Step[] | null {
  if (!words || shell.depth === MAX_DEPTH) return null;
  const inner = { ...shell, depth: shell.depth + 1 };
  const target = makeTarget(words);
  const called = target === null ? scriptCalled(words, shell.folder, shell.files) : null;
  const steps = target === null ? called && scriptSteps(called, inner) : madeSteps(target, inner);
  return steps && steps.length > 1 ? steps : null;
}

function scriptSteps({ folder, parts }: CalledScript, shell: Shell): readonly Step[] | null {
  const up = shell.folder.slice(folder.length).split('/').filter(Boolean);
  const setup = up.length === 0 ? shell.setup : [...shell.setup, `cd ${up.map(() => '..').join('/')}`];
  const steps = parts.map((part) => partSteps(part, { ...shell, folder, setup, script: { name: part.name, folder } }));
  return steps.includes(null) ? null : steps.flatMap((some) => some ?? []);
}

/** Null: it cannot run apart from what its manager runs beside it. */
function partSteps({ text, command }: ScriptPart, shell: Shell): readonly Step[] | null {
  const steps = stepsIn(text, shell);
  if (steps && steps.length > 1) return steps;
  // Told to run no scripts beside it, npm tells what it starts so, too.
  if (command !== null && !CALLS_MANAGER.test(text)) return [{ label: text, command: led(shell.setup, command) }];
  return BY_MANAGER.test(text) ? null : [inOwnShell(text, shell)];
}

/** Each line has a shell of its own. */
function madeSteps(target: string, shell: Shell): readonly Step[] | null {
  const path = MAKEFILES.map((name) => joined(shell.folder, name) ?? '').find((one) => shell.files.has(one)) ?? '';
  const isThere = (name: string) => shell.has(joined(shell.folder, name) ?? '');
  const lines = recipeOf(shell.files.get(path) ?? '', target, isThere);
  return lines && lines.flatMap((line) => stepsIn(line, shell) ?? [inOwnShell(line, shell)]);
}
