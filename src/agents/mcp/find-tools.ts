import { z } from 'zod';
import type { Tool } from '../../actors/tools/tool.ts';
import type { Json } from '../../log/envelope.ts';

/** More tools than these are found by words: the descriptions of all would fill the window of the model. */
export const MAX_SHOWN_TOOLS = 40;
const MAX_FOUND = 8;

const Find = z.strictObject({ words: z.string().min(1).max(500).describe('What the tool should do, in a few words') });
const Call = z.strictObject({
  tool: z.string().min(1).max(64).describe('The name, as find_tool has it'),
  arguments: z.looseObject({}).default({}).describe('Its arguments, by its schema'),
});

/** Two tools that stand for many: one that finds them, with their schemas, and one that calls what was found. */
export function foundTools(tools: readonly Tool[]): readonly Tool[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const known = `${tools.length} tools of ${new Set(tools.map(({ name }) => name.split('__')[0])).size} servers`;
  const find: Tool<typeof Find> = {
    name: 'find_tool',
    description: `Finds tools by words among ${known}, with their descriptions and schemas. call_tool calls one.`,
    input: Find,
    effectClass: 'repeatable',
    isAlwaysOffered: true,
    run: async ({ words }) => {
      const found = ranked(tools, words).slice(0, MAX_FOUND);
      const shown = found.map(({ name, description, input }) => ({ name, description, arguments: schemaOf(input) }));
      return { output: shown.length === 0 ? 'no tool fits these words' : JSON.stringify(shown, null, 2) };
    },
  };
  const call: Tool<typeof Call> = {
    name: 'call_tool',
    description: 'Calls a tool that find_tool has found, with arguments by its schema.',
    input: Call,
    isAlwaysOffered: true,
    ...(tools[0]?.timeoutMs === undefined ? {} : { timeoutMs: tools[0].timeoutMs }),
    run: ({ tool: name, arguments: given }, context) => {
      const tool = byName.get(name);
      if (!tool) throw new Error(`there is no tool ${name}: find_tool finds those that there are`);
      return tool.run(given, context);
    },
  };
  return [find as unknown as Tool, call as unknown as Tool];
}

/** Those with the most of the words, in the name before the description. Without any of them: none. */
function ranked(tools: readonly Tool[], words: string): readonly Tool[] {
  const wanted = new Set(wordsOf(words));
  const scored = tools.map((tool) => {
    const [inName, inText] = [wordsOf(tool.name), new Set(wordsOf(tool.description))];
    const score = [...wanted].reduce(
      (sum, word) => sum + (inName.includes(word) ? 2 : 0) + (inText.has(word) ? 1 : 0),
      0,
    );
    return { tool, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ tool }) => tool);
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);

const schemaOf = (input: z.ZodType): Json => {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return JSON.parse(JSON.stringify(schema)) as Json;
};
