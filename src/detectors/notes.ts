import { fitsAny } from '../evidence/path-globs.ts';

/** Globs of files and folders that say what was done, as agents call them. */
export const NOTES: readonly string[] = [
  ...['notes', 'note', 'todo', 'plan', 'progress', 'status', 'journal', 'scratch', 'scratchpad', 'thoughts'].flatMap(
    (name) => [`${name}.md`, `${name}.txt`, `${name}[-_.]*.md`],
  ),
  '*.log',
  'logs/*',
  'log/*',
  'notes/*',
];

/**
 * Tells of a path whether it is a note or a log, in any folder and in any case. A folder with a star is all that lies
 * in it.
 *
 * @example
 * isNoteBy(NOTES)('docs/NOTES.md'); // true
 */
export const isNoteBy = (patterns: readonly string[]): ((path: string) => boolean) =>
  fitsAny(patterns.map((pattern) => `**/${pattern.replace(/\/\*$/, '/**')}`));
