import { z } from 'zod';
import type { Tool, ToolContext, ToolReply } from '../../../src/actors/tools/tool.ts';

/** One tool, named `it`, that does this. */
export function it(run: (context: ToolContext) => Promise<unknown>, more: Partial<Tool> = {}): readonly Tool[] {
  const tool = { name: 'it', description: '', input: z.strictObject({}), ...more };
  return [{ ...tool, run: (_, context) => run(context) as Promise<ToolReply> }];
}

/** The work of a tool that never ends and ignores its signal. */
export const never = () => new Promise<never>(() => {});
