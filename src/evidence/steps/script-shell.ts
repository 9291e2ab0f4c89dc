import { quoted } from '../../text/shell-words.ts';
import { foldersOf } from '../workspace-paths.ts';
import type { StepFiles } from './package-scripts.ts';
import type { ListPart } from './shell-list.ts';

/** A tree, as far as steps are read from it. */
export interface StepTree {
  readonly files: StepFiles;
  /** Tells whether it has a file or folder at a path. */
  readonly has: (path: string) => boolean;
}

/** The shell that a part runs in. */
export interface Shell extends StepTree {
  /** From the top of the workspace. */
  readonly folder: string;
  /** The commands that lead to it. */
  readonly setup: readonly string[];
  /** The script whose shell it is, and the folder of its package. Null: of none. */
  readonly script: { readonly name: string; readonly folder: string } | null;
  readonly depth: number;
  /** The number of commands that may still be looked at, for the whole check. */
  readonly looks: { left: number };
}

/** One step of a check. */
export interface Step {
  /** The text that it runs, as it is written where it is from. */
  readonly label: string;
  readonly command: string;
}

/** The step of a part of a list. */
export function stepOf({ text, isCommand }: ListPart, shell: Shell): Step {
  if (shell.script && !isCommand) return inOwnShell(text, shell);
  return { label: text, command: led(shell.setup, `${variablesOf(shell)}${text}`) };
}

/** The step of a text that is not known to be one command. */
export const inOwnShell = (text: string, shell: Shell): Step => ({
  label: text,
  command: led(shell.setup, `${variablesOf(shell)}sh -c ${quoted(text)}`),
});

/** A command behind those that lead to it. */
export const led = (setup: readonly string[], command: string): string => [...setup, command].join(' && ');

/** As package managers do it: what is installed for a package and for those around it is found by name. */
function variablesOf({ script, folder }: Shell): string {
  if (!script) return '';
  const top = folder === '' ? '' : `${folder.replace(/[^/]+/g, '..')}/`;
  const folders = ['', ...foldersOf(`${script.folder}/x`).filter(Boolean)].toReversed();
  const path = folders.map((one) => `$PWD/${top}${one === '' ? '' : `${one}/`}node_modules/.bin`);
  return `PATH="${[...path, '$PATH'].join(':')}" npm_lifecycle_event=${quoted(script.name)} `;
}
