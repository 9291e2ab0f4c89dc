import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/log/envelope.ts';
import type { Message } from '../../../src/actors/model/model.ts';
import { promptOf } from '../../../src/actors/model/sdk-prompt.ts';

const said = (text: string, tool: string, continuity?: Json): Message => ({
  role: 'assistant',
  text,
  calls: [{ callId: '0.0', providerId: 'call_1', tool, arguments: {} }],
  model: 'anthropic/m',
  ...(continuity === undefined ? {} : { continuity }),
});
const result = (tool: string): Message => ({
  role: 'tool',
  callId: '0.0',
  tool,
  output: 'there is no such tool',
  failed: true,
});

describe('what a provider would refuse the whole conversation for is not sent', () => {
  test.each([
    ['read', 'read'],
    ['functions.write file', 'functions_write_file'],
    ['läs', 'l_s'],
    ['x'.repeat(200), 'x'.repeat(64)],
    ['', 'unnamed'],
  ])('a tool that was called %j is named so that it can be: in the call and in its result', (tool, toolName) => {
    expect(promptOf([said('', tool), result(tool)], 'anthropic/m')).toMatchObject([
      { role: 'assistant', content: [{ type: 'tool-call', toolName }] },
      { role: 'tool', content: [{ type: 'tool-result', toolName }] },
    ]);
  });

  test('a text of nothing but blanks', () =>
    expect(promptOf([said('\n\n', 'read')], 'anthropic/m')).toMatchObject([{ content: [{ type: 'tool-call' }] }]));

  test('unless its provider wants it back', () => {
    const continuity = [
      { part: 'text', characters: 2, metadata: { openai: { itemId: 'msg_1' } } },
      { part: 'call', index: 0 },
    ];
    expect(promptOf([said('\n\n', 'read', continuity)], 'anthropic/m')).toMatchObject([
      {
        content: [
          { type: 'text', text: '\n\n', providerOptions: { openai: { itemId: 'msg_1' } } },
          { type: 'tool-call' },
        ],
      },
    ]);
  });
});
