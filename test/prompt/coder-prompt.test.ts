import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { resolveSettings } from '../../src/config/resolve.ts';
import { CODER_VERSION, type CoderSubject, coderPrompt, coderSubject } from '../../src/prompt/coder-prompt.ts';
import { systemText } from '../../src/prompt/system-text.ts';

const MAX_WORDS = 450;

const subject: CoderSubject = {
  workspace: '/srv/shop',
  platform: 'linux x64',
  date: '2026-11-25',
  git: 'branch main',
  checks: 'checkout',
  hasAttempts: true,
  signal: 'TASK_COMPLETE',
  tools: ['read', 'shell', 'finish', 'ask_user', 'request_read_access'],
};

/** What a run with these options tells its agent. */
function toldTo(options: object, isProven = false): string {
  const resolved = resolveSettings({ prompt: 'Fix it.', directory: '/srv/shop', ...options });
  if (resolved.kind === 'refused') throw new Error(JSON.stringify(resolved.faults));
  return coderPrompt(
    coderSubject(resolved.settings, isProven, { platform: 'linux x64', date: '2026-11-25', git: 'none' }),
  );
}

test('G1 the longest built-in prompt has less than 450 words', () => {
  const words = coderPrompt(subject).split(/\s+/).length;
  expect(words).toBeLessThan(MAX_WORDS);
});

test('G1 another text is another version', () => {
  const bare = { ...subject, checks: null, hasAttempts: false, signal: null, tools: [] };
  const texts = [subject, { ...subject, checks: 'workspace' as const }, { ...bare, hasAttempts: true }, bare];
  const digest = createHash('sha256').update(texts.map(coderPrompt).join()).digest('hex').slice(0, 16);
  expect([CODER_VERSION, digest]).toEqual(['coder@1', 'b2c446cd36054c22']);
});

test('G1 the built-in prompt says where and when the work is done', () => {
  const lines = coderPrompt(subject).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining(['Workspace: /srv/shop', 'Platform: linux x64', 'Date: 2026-11-25', 'Git: branch main']),
  );
});

describe('G1 what decides is that of the run', () => {
  const checks = ['npm test'];

  test('G1 checks in a clean checkout', () =>
    expect(toldTo({ checks }, true)).toContain('They run in a clean checkout'));
  test('G1 checks in the workspace', () => expect(toldTo({ checks })).toContain('They run in this folder'));
  test('G1 no checks', () => {
    const told = toldTo({ loop: 'turn', agent: 'Coder' });
    expect(told).toContain('No check is configured');
    expect(told).not.toContain('another attempt begins');
  });
});

describe('G1 how to finish names the signal of the strategy', () => {
  test.each([
    ['fixed', null],
    ['hybrid', 'TASK_COMPLETE'],
    [{ name: 'hybrid', config: { completionCriteria: ['no_changes'] } }, null],
    [{ name: 'hybrid', config: { completionCriteria: ['agent_signal'] } }, 'TASK_COMPLETE'],
    ['ralph', 'TASK_COMPLETE'],
    [{ name: 'ralph', config: { completionSignals: ['SHIPPED', 'DONE'] } }, 'SHIPPED'],
    [{ name: 'ralph', config: { completionSignals: [] } }, null],
  ])('G1 %j: %s', (strategy, signal) => {
    const told = toldTo({ loop: 'iteration', strategy });
    if (signal === null) expect(told).not.toContain('alone on the last line');
    else expect(told).toContain(`end with ${signal} alone on the last line`);
  });
});

test('G1 tools that a run lacks are not spoken of', () => {
  const told = toldTo({ checks: ['npm test'], tools: ['read', 'edit'] });
  for (const tool of ['finish`', 'ask_user', 'request_read_access', 'Commands']) expect(told).not.toContain(tool);
  expect(told).toContain('No person can be asked');
});

test('G1 a text of the user stands below the prompt, or alone', () => {
  expect(systemText({ system: 'You review.', systemAppend: 'Be brief.' })).toBe('You review.\n\nBe brief.');
  expect(systemText({ system: null, systemAppend: 'Be brief.' })).toBe('Be brief.');
  expect(systemText({ system: null })).toBeNull();
});
