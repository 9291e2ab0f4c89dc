/** Names of files and folders that say what was done, as agents call them; `*` stands for any text. */
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
 * Tells of a path whether it is a note or a log, in any folder and in any case. A pattern with a slash is about a
 * folder and all that lies in it.
 *
 * @example
 * isNoteBy(NOTES)('docs/NOTES.md'); // true
 */
export function isNoteBy(patterns: readonly string[]): (path: string) => boolean {
  const all = patterns.map((pattern) => expression(pattern)).join('|');
  if (all === '') return () => false;
  const fits = new RegExp(`(?:^|/)(?:${all})$`, 'i');
  return (path) => fits.test(path);
}

/** `[-_.]` is one of these characters. */
const expression = (pattern: string): string =>
  pattern
    .split('*')
    .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`).replace(String.raw`\[-_\.\]`, '[-_.]'))
    .join(pattern.includes('/') ? '.*' : '[^/]*');
