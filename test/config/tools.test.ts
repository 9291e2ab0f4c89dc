import { expect, test } from 'vitest';
import { DEFAULT_TOOLS, KNOWN_TOOLS } from '../../src/config/tools.ts';

test('every built-in tool is a default tool, except delegate, which a run must name', () => {
  expect(KNOWN_TOOLS.filter((tool) => !DEFAULT_TOOLS.includes(tool))).toEqual(['delegate']);
  expect(KNOWN_TOOLS).toEqual(expect.arrayContaining([...DEFAULT_TOOLS]));
});
