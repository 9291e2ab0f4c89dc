import { expect, test } from 'vitest';
import { reachOfRules } from '../../src/agents/rule-words.ts';
import { claudeRules } from '../../src/agents/presets/claude.ts';
import { rules } from '../permissions/rulings.ts';

const told = (...texts: string[]) => claudeRules({ rules: rules(...texts) });

test('X9 Claude Code is told of what is denied or would be asked, in its own words', () => {
  const { words, unreached } = told(
    'allow shell command=npm test',
    'deny shell command=git push *',
    'ask edit path=docs/**',
    'deny fetch host=example.org',
    'deny github__create_issue',
    'deny shell title=x',
  );
  expect(words).toEqual([
    '--disallowedTools',
    'Bash(git push:*)',
    'Edit(docs/**)',
    'Write(docs/**)',
    'WebFetch(domain:example.org)',
    'mcp__github__create_issue',
  ]);
  expect(unreached).toMatchObject([{ by: 'title' }]);
  expect(claudeRules({ rules: [], profile: 'read' }).words).toContain('Bash');
  expect(told('allow shell').words).toEqual([]);
});

test('X9 for each agent of others it is said what rules reach', () => {
  const set = { rules: rules('ask shell', 'deny shell title=x') };
  expect(reachOfRules('codex', set)).toEqual([expect.stringContaining('no rule reaches codex')]);
  expect(reachOfRules('cmd:aider', set)).toEqual([expect.stringContaining('no rule reaches')]);
  expect(reachOfRules('gemini', set)).toEqual([expect.stringContaining('where it asks')]);
  expect(reachOfRules('claude/opus', set)).toEqual([
    expect.stringContaining('deny shell title=x'),
    expect.stringContaining('denied there'),
  ]);
});
