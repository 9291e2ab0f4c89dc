import type { RunSettings } from '../../../../machines/settings.ts';
import { builtinTools } from '../../../actors/tools/builtin.ts';
import type { LoopDefinition } from '../../../kernel/loop-definition.ts';

/** Built-in tools that change nothing. A tool from elsewhere may do anything, whatever class it declares. */
const READING = new Set(
  builtinTools()
    .filter(({ effectClass }) => effectClass === 'repeatable')
    .map(({ name }) => name),
);

/** Whether a call of this tool changes nothing. */
export const readsOnly = (tool: string | undefined): boolean => tool !== undefined && READING.has(tool);

/** Whether an effect of a run can change its workspace: a tool, a command, a child, or an effect of the loop's own. */
export function mayWrite({ tools, checks, ci }: RunSettings, loop: LoopDefinition): boolean {
  if (loop.settings?.needsGit || checks.length > 0 || ci) return true;
  return Object.keys(loop.handlers ?? {}).length > 0 || tools.some((tool) => !READING.has(tool));
}
