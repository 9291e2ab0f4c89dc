import { readFields } from './fields.ts';
import { type FrontMatter, linesOf, placedSections, type Section } from './front-matter.ts';

/** The sections of an `AGENTS.md` that define agents. */
export const agentSections = (text: string): readonly Section[] =>
  placedSections(linesOf(text)).flatMap(({ section }) => (isProse(section) ? [] : [section]));

/** The text without them. */
export function proseOf(text: string): string {
  const lines = linesOf(text);
  const agents = placedSections(lines).filter(({ section }) => !isProse(section));
  const starts = [0, ...agents.map(({ to }) => to)];
  return starts.flatMap((from, index) => lines.slice(from, agents[index]?.from)).join('\n');
}

/** Two lines of dashes below a heading with plain text between them are not an agent. */
function isProse(section: FrontMatter): boolean {
  const read = readFields(section);
  return read.kind === 'fields' && read.fields.size === 0 && section.yaml.trim() !== '';
}
