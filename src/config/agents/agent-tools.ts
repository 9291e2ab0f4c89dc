import { z } from 'zod';
import { DEFAULT_TOOLS, KNOWN_TOOLS } from '../tools.ts';
import type { Hearing } from './read-fields.ts';
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
function toolNamed(name: string): string | null {
  const ours = ELSEWHERE.get(name) ?? name;
  return KNOWN_TOOLS.includes(ours) ? ours : null;
}

/** The tool that a name most likely means. */
const nearestTool = (name: string): string | null => nearest(name, KNOWN_TOOLS);

const EXPECTED = 'tool names: a list, or one text with commas';

const Names = z.union([z.array(z.string()), z.string().transform((text) => text.split(','))]);
/** Tools switched on or off, starting from the default ones. */
const Switches = z.record(z.string(), z.boolean());

/** The tools an agent may use; undefined where it says nothing. */
export function toolsOf(hearing: Hearing, isForeign: boolean): readonly string[] | undefined {
  const allowed = allowedBy(hearing, isForeign);
  const denied = namesIn(hearing, 'disallowedTools');
  if (denied === undefined) return allowed;
  const without = denied.map((name) => toolNamed(whole(name)));
  return (allowed ?? DEFAULT_TOOLS).filter((tool) => !without.includes(tool));
}

function allowedBy(hearing: Hearing, isForeign: boolean): readonly string[] | undefined {
  const value = hearing.value('tools');
  if (value === '*') return undefined;
  const switches = Switches.safeParse(value);
  const known = (name: string) => knownTool(name, hearing, isForeign);
  if (switches.success) {
    const off = Object.entries(switches.data).flatMap(([name, isOn]) => (isOn ? [] : known(name)));
    return DEFAULT_TOOLS.filter((tool) => !off.includes(tool));
  }
  const names = namesIn(hearing, 'tools');
  return names && [...new Set(names.flatMap(known))];
}

function namesIn(hearing: Hearing, field: string): readonly string[] | undefined {
  const value = hearing.value(field);
  if (value === undefined) return undefined;
  const names = Names.safeParse(value);
  if (!names.success) return hearing.refuse(field, value, EXPECTED);
  return names.data.map((name) => name.trim()).filter((name) => name !== '');
}

/** A tool that a loopfold agent names must exist; unknown tools of other programs are left out. */
function knownTool(name: string, hearing: Hearing, isForeign: boolean): string[] {
  const tool = toolNamed(name);
  if (tool !== null) return [tool];
  if (isForeign) hearing.warn('tools', `: there is no tool ${name} here; it is left out`);
  else hearing.refuse('tools', name, `one of ${KNOWN_TOOLS.join(', ')}`, nearestTool(name));
  return [];
}

/** `Bash(git push:*)` forbids a part of a tool. That is not supported, so the whole tool is left out. */
const whole = (name: string) => name.replace(/\(.*\)$/, '');
