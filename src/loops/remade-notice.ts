import type { Remade } from '../../machines/events.ts';

/** How many files are named to the model. */
const MAX_NAMED_FILES = 20;

/** What a model is told that goes on in a worktree that was made again. `lost`: files that its calls had changed. */
export function remadeNotice({ from }: Remade, lost: readonly string[]): string {
  const made = 'The folder of your work was deleted while you were stopped, and is made again';
  if (from === 'end') return `${made}, with the files as you left them. ${IGNORED}`;
  const named = lost.slice(0, MAX_NAMED_FILES).join(', ');
  const more = lost.length > MAX_NAMED_FILES ? ` and ${lost.length - MAX_NAMED_FILES} more` : '';
  const files = lost.length === 0 ? '' : ` Your changes of these files are gone: ${named}${more}.`;
  return (
    `${made}, ${filesOf(from)}. What was changed after that is gone, also by commands, and also where a call has ` +
    `reported success.${files} Look at the files before you go on, and do again what is missing.`
  );
}

/** What the prompt of an attempt says of the files where the worktree was made again before it. */
export function remadeForAttempt({ from }: Remade): string {
  const made = 'Since the attempt before this one began, the folder of the work was deleted, and it is made again';
  if (from === 'end') return `${made}, with the files as they were left. ${IGNORED}`;
  return (
    `${made}, ${filesOf(from)}. What was changed between that and the deletion is gone, also where it was reported ` +
    `as done. Look at the files before you rely on it.`
  );
}

const IGNORED = 'What git ignores, such as results of a build, may be gone.';

const filesOf = (from: number) =>
  from === 0 ? 'with the files that the run began with' : `from capture ${from}, the newest there is`;
