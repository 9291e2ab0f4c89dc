import type { EarlierMessage, RunSettings } from '../../../machines/settings.ts';
import { runRefs } from '../../git/run-refs.ts';
import { changedEntries } from '../../git/tree-change.ts';
import { pathText } from '../../text/path-text.ts';
import { listed } from '../../text/list-text.ts';
import { callOf } from '../../actors/capture-repository.ts';
import type { PastRun } from './past-run.ts';

const MAX_NAMED = 5;
const MAX_PATH_CHARACTERS = 200;

/** What the workspace has had since a run ended, for its user and for the model that continues. */
export interface ChangedSince {
  readonly warning: string;
  readonly message: string;
}

/**
 * Compares the workspace as a run finds it with how the run before it left it. `start`: the hash of its tree. Null: it
 * is the same, or no tree is known of it now.
 */
export async function changedSince(
  past: PastRun,
  settings: RunSettings,
  start: string | null,
): Promise<ChangedSince | null> {
  if (start === null) return null;
  const changed = await pathsChanged(past, settings, start).catch(() => null);
  if (changed === null) {
    const unknown = `git has no capture of how run ${past.run} left the workspace`;
    return {
      warning: `${unknown}, so it is not known what has changed since: the model is told to read files again.`,
      message: 'What has changed in the files since is not known: read them again before you change them.',
    };
  }
  if (changed.length === 0) return null;
  const paths = named(changed);
  return {
    warning:
      `The workspace has changed since run ${past.run} ended: ${paths}. The model is told so, and checks go by the ` +
      'files as they are now.',
    message: `These files are no longer as you left them: ${paths}. Read them again before you change them.`,
  };
}

async function pathsChanged(past: PastRun, settings: RunSettings, start: string): Promise<readonly string[]> {
  const call = callOf(settings);
  const end = (await runRefs(past.run, call)).get('end');
  if (end === undefined) throw new Error(`no end of ${past.run}`);
  if (end === start) return [];
  // Git's names are bytes, each as one character.
  return [...(await changedEntries(end, start, call)).keys()].map((name) => Buffer.from(name, 'latin1').toString());
}

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_NAMED).map((path) => pathText(path, MAX_PATH_CHARACTERS));
  const more = paths.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : listed(shown, 'and');
}

/** The same history, whose last message says how the run before has ended, and then this. */
export const withMessage = (history: readonly EarlierMessage[], text: string): EarlierMessage[] => {
  const last = history.at(-1);
  if (last?.role !== 'user') return [...history, { role: 'user', text }];
  return [...history.slice(0, -1), { ...last, text: `${last.text} ${text}` }];
};
