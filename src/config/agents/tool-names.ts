import { KNOWN_TOOLS } from '../tools.ts';
import { nearest } from '../../text/nearest.ts';

/** The names that other programs give to tools that loopfold has too. */
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

/** The loopfold name of a tool; null where it is unknown. */
export function toolNamed(name: string): string | null {
  const ours = ELSEWHERE.get(name) ?? name;
  return KNOWN_TOOLS.includes(ours) ? ours : null;
}

/** The tool that a name most likely means. */
export const nearestTool = (name: string): string | null => nearest(name, KNOWN_TOOLS);
