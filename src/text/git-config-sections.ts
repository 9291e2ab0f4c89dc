/** A header. Several may stand in one line, and what belongs to the last one after them. */
const HEADER = /^\s*\[\s*([\w.-]+)(?:\s+("(?:[^"\\]|\\.)*"))?\s*\]/;

/**
 * The lines of each section of a configuration of git, in the order of the file. What stands before any section, and
 * what is no header that git knows, belongs to the section without a name.
 *
 * @example
 * sectionsOf('[core]\n\tbare = false\n').get('core'); // ['bare = false']
 */
export function sectionsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  let section = '';
  for (const line of text.split('\n')) {
    let rest = line;
    for (let found = HEADER.exec(rest); found; found = HEADER.exec(rest)) {
      section = [found[1], ...(found[2] ? [found[2]] : [])].join(' ');
      rest = rest.slice(found[0].length);
    }
    const isUnknown = /^\s*\[/.test(rest);
    if (isUnknown) section = '';
    if (rest.trim() !== '') sections.set(section, [...(sections.get(section) ?? []), rest.trim()]);
  }
  return sections;
}
