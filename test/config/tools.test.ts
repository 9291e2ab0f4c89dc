import { expect, test } from 'vitest';
import { DEFAULT_TOOLS, KNOWN_TOOLS } from '../../src/config/tools.ts';

test('every built-in tool is a default tool, except delegate and what asks for the walls of a run', () => {
  expect(KNOWN_TOOLS.filter((tool) => !DEFAULT_TOOLS.includes(tool))).toEqual(['delegate', 'request_command_access']);
  expect(KNOWN_TOOLS).toEqual(expect.arrayContaining([...DEFAULT_TOOLS]));
});
