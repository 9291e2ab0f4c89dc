import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { builtinTools } from '../../../src/actors/tools/builtin.ts';
import { defineTool, type ToolReply } from '../../../src/actors/tools/tool.ts';
import { toolSpecs } from '../../../src/actors/tools/tool-table.ts';

const replying = async (): Promise<ToolReply> => ({ output: '' });
const tool = (name: string, input: z.ZodType) => defineTool({ name, description: 'Does it.', input, run: replying });

describe('tools as a model is told of them', () => {
  test('each with its name, its description, and a JSON Schema of what it takes', () => {
    const input = z.strictObject({ sides: z.int().min(2).describe('How many'), times: z.int().default(1) });
    expect(toolSpecs([tool('roll', input)])).toEqual([
      {
        name: 'roll',
        description: 'Does it.',
        inputSchema: {
          type: 'object',
          properties: {
            sides: { type: 'integer', minimum: 2, maximum: Number.MAX_SAFE_INTEGER, description: 'How many' },
            times: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
          },
          required: ['sides'],
          additionalProperties: false,
        },
      },
    ]);
  });

  test('the built-in ones', () => {
    const required = (schema: unknown) => Reflect.get(Object(schema), 'required');
    expect(toolSpecs(builtinTools()).map(({ name, inputSchema }) => [name, required(inputSchema)])).toEqual([
      ['read', ['path']],
      ['list', undefined],
      ['glob', ['pattern']],
      ['grep', ['pattern']],
      ['edit', ['path', 'oldText', 'newText']],
      ['multi_edit', ['path', 'edits']],
      ['write', ['path', 'content']],
      ['shell', ['command']],
      ['finish', ['answer']],
      ['ask_user', ['question']],
      ['request_read_access', ['path', 'reason']],
      ['delegate', ['task']],
      ['request_command_access', ['opens', 'place', 'reason']],
    ]);
  });

  test.each([
    ['two of one name', [tool('a', z.object({})), tool('a', z.object({}))], 'tool name "a": two tools have it'],
    ['a name no provider takes', [tool('a b', z.object({}))], 'tool name "a b": expected 1 to 64'],
    ['an input that is no object', [tool('a', z.string())], 'tool "a": expected an object'],
    ['an input JSON Schema cannot say', [tool('a', z.object({ at: z.date() }))], 'tool "a": its input cannot be said'],
  ])('%s is a mistake in the program', (_, tools, message) => expect(() => toolSpecs(tools)).toThrow(message));

  test('a tool function gets its input in the type of its schema', () => {
    defineTool({
      name: 'roll',
      description: 'Rolls a die.',
      input: z.strictObject({ sides: z.int(), times: z.int().default(1) }),
      run: async (input) => {
        expectTypeOf(input).toEqualTypeOf<{ sides: number; times: number }>();
        return { output: '' };
      },
    });
  });
});
