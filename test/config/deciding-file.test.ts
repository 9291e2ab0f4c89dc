import { expect, test } from 'vitest';
import { decidingAmong } from '../../src/config/settings-places.ts';

test.each([
  ['loopfold.config.ts', 'configuration'],
  ['packages/one/loopfold.config.json', 'configuration'],
  ['LoopFold.Config.JSON', 'configuration'],
  ['AGENTS.md', 'agent'],
  ['packages/one/agents.md', 'agent'],
  ['.loopfold/agents/reviewer.md', 'agent'],
  ['one/.claude/agents/reviewer.md', 'agent'],
  ['.opencode/agent/reviewer.md', 'agent'],
  ['CLAUDE.md', 'instructions'],
  ['packages/one/claude.md', 'instructions'],
  ['.envrc', 'programs'],
  ['one/.vscode/tasks.json', 'programs'],
  ['.claude/settings.local.json', 'programs'],
  ['.husky/pre-commit', 'programs'],
  ['.npmrc', 'programs'],
] as const)('G10 B1 later runs, or other programs, go by %s, as %s', (path, decides) => {
  expect(decidingAmong([path, path])).toEqual([{ path, decides }]);
});

test.each([
  'my-loopfold.config.ts',
  'loopfold.config.ts.md',
  'loopfold.config.yaml',
  'MY-AGENTS.md',
  'agents/reviewer.md',
  'my.loopfold/agents/reviewer.md',
  '.loopfold/agents/reviewer.txt',
  '.loopfold/agents/more/reviewer.md',
  'docs/npmrc',
  '.vscode/extensions.json',
])('G10 no later run goes by %s', (path) => {
  expect(decidingAmong([path])).toEqual([]);
});
