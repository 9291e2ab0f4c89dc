import { KNOWN_TOOLS } from '../defaults.ts';
import { nearest } from '../nearest.ts';

/** What other programs call the tools that we have too. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['Read', 'read'],
  ['Write', 'write'],
  ['Edit', 'edit'],
  ['MultiEdit', 'multi_edit'],
  ['multiedit', 'multi_edit'],
  ['LS', 'list'],
  ['Glob', 'glob'],
  ['Grep', 'grep'],
  ['Bash', 'shell'],
  ['bash', 'shell'],
  ['AskUserQuestion', 'ask_user'],
  ['question', 'ask_user'],
  ['Task', 'delegate'],
  ['task', 'delegate'],
]);

/** Our name of a tool; null where it is nobody we know. */
export function toolNamed(name: string): string | null {
  const ours = ELSEWHERE.get(name) ?? name;
  return KNOWN_TOOLS.includes(ours) ? ours : null;
}

/** Which of our tools a name most likely means. */
export const nearestTool = (name: string): string | null => nearest(name, KNOWN_TOOLS);
