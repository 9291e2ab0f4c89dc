import { resolve } from 'node:path';
import { textOf } from '../git/object-text.ts';
import { startedBy, type StartedProgram } from '../evidence/command-words.ts';
import { followed } from '../evidence/files-in-checks.ts';
import { isIn } from '../evidence/outside-names.ts';
import { packageAbove } from '../evidence/package-manifest.ts';
import { commandsOfScript, scriptsRunBy } from '../evidence/shell-scripts.ts';
import { isFile } from '../evidence/tree-entry.ts';
import type { LegsSubject } from './legs-subject.ts';
import type { PreparedLegs } from './prepare-legs.ts';

/** The most scripts of the workspace that are read for what they start. */
const MAX_SCRIPTS = 20;

/**
 * All programs that the checks of a run start, each in an absolute folder: also by the scripts of a `package.json`, and
 * one step further by shell scripts and makefiles of the workspace, as they were when the run began.
 */
export async function programsOfChecks(
  { origin, checks, prepare }: LegsSubject,
  { plan: { base }, call }: Pick<PreparedLegs, 'plan' | 'call'>,
): Promise<readonly StartedProgram[]> {
  const { root, prefix } = origin;
  const folder = resolve(root, prefix);
  const commands = [...prepare, ...checks.map(({ command }) => command)];
  const entryAt = (path: string) => (isIn(root, path) ? base.get(path.slice(root.length + 1)) : undefined);
  const readAt = async (path: string): Promise<string> => {
    const entry = entryAt(path);
    return isFile(entry) ? ((await textOf(entry.hash, call)) ?? '') : '';
  };
  const paths = { has: (path: string) => entryAt(path) !== undefined };
  const folders = new Set([folder, ...commands.flatMap((one) => startedBy(one, folder).map((found) => found.folder))]);
  const packages = new Map<string, string>();
  for (const one of folders) {
    const path = packageAbove(one, paths);
    if (path !== null) packages.set(path, await readAt(path));
  }
  const programs = commands.flatMap((command) => followed(command, { folder, paths, packages }).programs);
  const scripts = programs.flatMap((program) =>
    scriptsRunBy(program).flatMap((path) => (paths.has(path) ? [{ path, from: program.folder }] : [])),
  );
  const started = scripts.slice(0, MAX_SCRIPTS).map(async ({ path, from }) => {
    const lines = commandsOfScript(path, await readAt(path));
    return lines.flatMap((text) => startedBy(text, from));
  });
  return [...programs, ...(await Promise.all(started)).flat()];
}
