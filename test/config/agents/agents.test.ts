// Over 300 lines because every field of an agent's page has its case.
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_TOOLS, KNOWN_TOOLS } from '../../../src/config/tools.ts';
import type { Config } from '../../../src/config/config.ts';
import { resolveSettings } from '../../../src/config/resolve.ts';
import { configOf, folderWith, problemsOf } from '../places.ts';

type Files = Readonly<Record<string, string>>;

/** What a run gets from an agent of these files, beside its name, and what is said about it. */
async function agentIn(files: Files, agent: string, more: Config = {}) {
  const folder = await folderWith({ '.git/HEAD': '', ...files });
  const loaded = await configOf(folder, { flags: { agent, ...more } });
  if (loaded.kind !== 'loaded') throw new Error(JSON.stringify(loaded));
  const { agent: _agent, ...values } = loaded.config.values;
  return { folder, values, warnings: loaded.config.warnings.map((line) => line.replaceAll(`${folder}/`, '')) };
}

async function refusedIn(files: Files, agent: string): Promise<string[]> {
  const folder = await folderWith({ '.git/HEAD': '', ...files });
  const problems = await problemsOf(configOf(folder, { flags: { agent } }));
  return problems.map((line) => line.replaceAll(`${folder}/`, ''));
}

const file = (yaml: string, body = 'Do it.') => `---\n${yaml}\n---\n\n${body}\n`;

describe('T13 an agent is a page with a front matter', () => {
  const WHOLE = file(
    'name: Reviewer\ndescription: Reads\nsteps: 4\nmodel: openai/gpt-5\ntools: [read, grep]\nbudget: 9',
  );

  test('T13 steps, model, tools, budget and words', async () => {
    const { values, warnings } = await agentIn({ '.loopfold/agents/a.md': WHOLE }, 'reviewer');
    expect(values).toEqual({
      maxSteps: 4,
      model: 'openai/gpt-5',
      tools: ['read', 'grep'],
      maxToolCalls: 9,
      system: 'Do it.',
    });
    expect(warnings).toEqual([]);
  });

  test('T13 its name is that of its file where it has none, in any letter case', async () => {
    for (const name of ['careful', 'CAREFUL']) {
      const { values } = await agentIn({ '.loopfold/agents/Careful.md': file('steps: 1') }, name);
      expect(values.maxSteps).toBe(1);
    }
  });

  test('T13 a page without front matter is all words', async () =>
    expect((await agentIn({ '.loopfold/agents/plain.md': 'Be plain.\n' }, 'plain')).values).toEqual({
      system: 'Be plain.',
    }));

  test.each(['steps', 'maxSteps', 'maxTurns'])('T13 %s are steps', async (field) =>
    expect((await agentIn({ '.loopfold/agents/a.md': file(`${field}: 7`) }, 'a')).values.maxSteps).toBe(7),
  );

  test('T13 a strategy, its iterations and detectors, as a file or a flag would say them', async () => {
    const yaml =
      'strategy:\n  name: hybrid\n  config: { baseIterations: 2 }\nmaxIterations: 4\ndetectors: default, identical-calls';
    for (const place of ['.loopfold/agents/a.md', '.claude/agents/a.md', '.opencode/agents/a.md']) {
      const { values, warnings } = await agentIn({ [place]: file(yaml) }, 'a');
      expect(values).toEqual({
        strategy: { name: 'hybrid', config: { baseIterations: 2 } },
        maxIterations: 4,
        detectors: ['default', 'identical-calls'],
        system: 'Do it.',
      });
      expect(warnings).toEqual([]);
    }
    expect(
      (await agentIn({ 'AGENTS.md': '## A\n---\nstrategy: ralph\ndetectors: [strict]\n---\n' }, 'a')).values,
    ).toEqual({
      strategy: 'ralph',
      detectors: ['strict'],
    });
    expect((await agentIn({ 'AGENTS.md': '## A\n---\nmaxIterations: 9000\n---\n' }, 'a')).values.maxIterations).toBe(
      100,
    );
    expect((await agentIn({ '.claude/agents/a.md': file(yaml) }, 'a', { strategy: 'fixed' })).values.strategy).toBe(
      'fixed',
    );
  });

  test.each([
    [
      'strategy: custom:./a.mjs',
      "strategy: expected a strategy's name, custom:PATH#NAME, or {name, config}, found 'custom:./a.mjs'",
    ],
    ['strategy: 5', "strategy: expected a strategy's name, custom:PATH#NAME, or {name, config}, found 5"],
    ['strategy: { name: fixed, confg: {} }', 'strategy.confg: expected a known option, found {}. Did you mean config?'],
    ['strategy: "{oops"', "strategy: expected an object, written as JSON, found '{oops'"],
    ['maxIterations: 0', 'maxIterations: expected a whole number, 1 or more, found 0'],
    ['maxIterations: 2.5', 'maxIterations: expected a whole number, 1 or more, found 2.5'],
    ['detectors: [5]', 'detectors[0]: expected the names of detectors or profiles, or {name, config}, found 5'],
    ['steps: -1', 'steps: expected a whole number, 0 or more, found -1'],
    ['steps: 1.5', 'steps: expected a whole number, 0 or more, found 1.5'],
    ["steps: '5'", "steps: expected a whole number, 0 or more, found '5'"],
    ['steps: many', "steps: expected a whole number, 0 or more, found 'many'"],
    ['maxTurns: [1]', 'maxTurns: expected a whole number, 0 or more, found [ 1 ]'],
    ['budget: 0', 'budget: expected a whole number, 1 or more, found 0'],
    ['model: sonnet', "model: expected provider/model, or 'inherit' for the model of the run, found 'sonnet'"],
    ['model: 5', 'model: expected words, found 5'],
    ['tools: [raed]', `tools: expected one of ${KNOWN_TOOLS.join(', ')}, found 'raed'. Did you mean read?`],
    ['tools: 5', 'tools: expected tool names: a list, or one text with commas, found 5'],
  ])('T13 %s is an error with file, line and field', async (yaml, says) =>
    expect(await refusedIn({ '.loopfold/agents/a.md': file(`name: a\n${yaml}`) }, 'a')).toEqual([
      `.loopfold/agents/a.md:3: ${says}`,
    ]),
  );

  test('T13 what is no YAML names its line, and grows no further than it is long', async () => {
    expect(await refusedIn({ '.loopfold/agents/a.md': file('name: a\nsteps: [1') }, 'a')).toEqual([
      expect.stringMatching(/^\.loopfold\/agents\/a\.md:3: the front matter is not YAML: /),
    ]);
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((one, nth) => `${one}: &${one} [${`*${'abcdefgh'[nth]},`.repeat(9)}]`),
    ].join('\n');
    expect(await refusedIn({ '.loopfold/agents/bomb.md': file(bomb) }, 'bomb')).toEqual([
      expect.stringMatching(/bomb\.md:2: .*alias/i),
    ]);
  });

  test('T13 a field that was nearly ours is warned about, one of another program is not', async () => {
    const yaml = 'stpes: 3\ncolor: red\ntemperature: 0.1\nmode: subagent\npermission:\n  edit: deny\nBudget: 4';
    const { values, warnings } = await agentIn({ '.opencode/agent/a.md': file(yaml) }, 'a');
    expect(values).toEqual({ temperature: 0.1, system: 'Do it.' });
    expect(warnings).toEqual([
      '.opencode/agent/a.md:2: stpes is not read. Did you mean steps?',
      '.opencode/agent/a.md:8: Budget is not read. Did you mean budget?',
    ]);
  });
});

describe('T13 AGENTS.md holds agents among prose', () => {
  const PAGE = [
    '# Rules',
    'Be kind.',
    '',
    '## Style',
    '',
    '---',
    'steps: 1',
    '---',
    '',
    '## Rule',
    '---',
    'just words',
    '---',
    '## Fixer',
    '---',
    'steps: 3',
    '---',
    'You fix.',
    '### How',
    'Slowly.',
    '```md',
    '## Fake',
    '---',
    'steps: 9',
    '---',
    '```',
    '## Next ##',
    '---',
    'steps: 5',
    '---',
    '# End',
    '',
  ].join('\r\n');

  test('T13 a heading with a front matter directly below is one, up to the next heading of its rank', async () => {
    const { values } = await agentIn({ 'AGENTS.md': PAGE }, 'fixer');
    expect(values).toEqual({
      maxSteps: 3,
      system: 'You fix.\n### How\nSlowly.\n```md\n## Fake\n---\nsteps: 9\n---\n```',
    });
    expect((await agentIn({ 'AGENTS.md': PAGE }, 'Next')).values).toEqual({ maxSteps: 5 });
  });

  test.each(['Style', 'Rule', 'Rules', 'Fake'])('T13 %s is prose', async (name) =>
    expect(await refusedIn({ 'AGENTS.md': PAGE }, name)).toEqual([
      expect.stringMatching(/^agent \(--agent\): expected one of Architect, Coder, Fixer, Next, Refactorer, found/),
    ]),
  );

  test('T13 a bad value names its line on the page', async () =>
    expect(await refusedIn({ 'AGENTS.md': '# A\n\n## Bad\n---\nname: x\nsteps: -3\n---\n' }, 'bad')).toEqual([
      'AGENTS.md:6: steps: expected a whole number, 0 or more, found -3',
    ]));

  test('T13 a front matter without an end is reported', async () =>
    expect(await refusedIn({ 'AGENTS.md': '## Open\n---\nsteps: 3\n\nFix it all\n' }, 'open')).toEqual([
      expect.stringMatching(/^AGENTS\.md:5: the front matter is not YAML/),
    ]));
});

describe('T13 agents of other programs', () => {
  test('T13 their names of tools are ours, and what is not here is left out and told', async () => {
    const { values, warnings } = await agentIn(
      { '.claude/agents/a.md': file('tools: Read, Edit, Bash, WebFetch, Bash(git:*)') },
      'a',
    );
    expect(values.tools).toEqual(['read', 'edit', 'shell']);
    expect(warnings).toEqual([
      '.claude/agents/a.md:2: tools: there is no tool WebFetch here; it is left out',
      '.claude/agents/a.md:2: tools: there is no tool Bash(git:*) here; it is left out',
    ]);
  });

  test('T13 what they forbid stays forbidden, a part of a tool as the whole of it', async () => {
    const without = (...names: string[]) => DEFAULT_TOOLS.filter((tool) => !names.includes(tool));
    const denied = await agentIn({ '.claude/agents/a.md': file('disallowedTools: Write, Bash(rm:*)') }, 'a');
    expect(denied.values.tools).toEqual(without('write', 'shell'));
    const switched = await agentIn(
      { '.opencode/agents/a.md': file('tools:\n  write: false\n  bash: false\n  read: true') },
      'a',
    );
    expect(switched.values.tools).toEqual(without('write', 'shell'));
  });

  test('T13 their models say nothing here', async () => {
    const { values, warnings } = await agentIn({ '.claude/agents/a.md': file('model: sonnet') }, 'a');
    expect(values.model).toBeUndefined();
    expect(warnings).toEqual([
      ".claude/agents/a.md:2: model: 'sonnet' names no provider; the model of the run is used",
    ]);
    expect((await agentIn({ '.claude/agents/a.md': file('model: inherit') }, 'a')).warnings).toEqual([]);
    expect((await agentIn({ '.opencode/agent/a.md': file('model: anthropic/claude-x') }, 'a')).values.model).toBe(
      'anthropic/claude-x',
    );
  });
});

describe('T13 which agent is meant', () => {
  const steps = (count: number) => file(`steps: ${count}`);

  test('T13 two are shipped', async () => {
    expect((await agentIn({}, 'refactorer')).values.maxSteps).toBe(5);
    expect((await agentIn({}, 'Architect')).values.maxSteps).toBe(20);
  });

  test('T13 one of the same name in a file is taken instead', async () =>
    expect((await agentIn({ 'AGENTS.md': '## Refactorer\n---\nsteps: 2\n---\n' }, 'Refactorer')).values).toEqual({
      maxSteps: 2,
    }));

  test('T13 the first place of the nearest folder wins, with a word about the others', async () => {
    const files = {
      '.loopfold/agents/x.md': steps(1),
      'AGENTS.md': '## X\n---\nsteps: 2\n---\n',
      '.claude/agents/x.md': steps(3),
      '.opencode/agent/x.md': steps(4),
    };
    const { values, warnings } = await agentIn(files, 'x');
    expect(values.maxSteps).toBe(1);
    expect(warnings).toEqual(
      ['AGENTS.md', '.claude/agents/x.md', '.opencode/agent/x.md'].map(
        (other) => `agent x is read from .loopfold/agents/x.md, not from ${other}`,
      ),
    );

    const folder = await folderWith({
      '.git/HEAD': '',
      '.loopfold/agents/x.md': steps(1),
      'sub/.claude/agents/x.md': steps(3),
    });
    const loaded = await configOf(join(folder, 'sub'), { flags: { agent: 'x' } });
    expect(loaded).toMatchObject({ config: { values: { maxSteps: 3 } } });
  });

  test('T13 a person has some for all projects', async () => {
    const folder = await folderWith({ 'home/.config/loopfold/agents/mine.md': steps(6), 'p/.git/HEAD': '' });
    const loaded = await configOf(join(folder, 'p'), { flags: { agent: 'mine' }, env: { HOME: join(folder, 'home') } });
    expect(loaded).toMatchObject({ config: { values: { maxSteps: 6 } } });
  });

  test('T13 an unknown name is refused with the known ones, where it was said', async () => {
    expect(await refusedIn({ '.claude/agents/scout.md': steps(1) }, 'scuot')).toEqual([
      "agent (--agent): expected one of Architect, Coder, Refactorer, scout, found 'scuot'. Did you mean scout?",
    ]);
    const folder = await folderWith();
    const said = await problemsOf(configOf(folder, { env: { LOOPFOLD_AGENT: 'x', HOME: folder } }));
    expect(said).toEqual([expect.stringMatching(/^agent \(LOOPFOLD_AGENT\): /)]);
  });

  test('T13 a file that leads out of the repository is not read, nor one that has no end', async () => {
    const outside = await folderWith({ 'secret.md': 'the marker' });
    const folder = await folderWith({
      '.git/HEAD': '',
      '.claude/agents/inside.md': steps(2),
      '.loopfold/agents/ok.md': '',
    });
    await symlink(join(outside, 'secret.md'), join(folder, '.loopfold/agents/evil.md'));
    await symlink('../../.claude/agents/inside.md', join(folder, '.loopfold/agents/linked.md'));
    await writeFile(join(folder, '.loopfold/agents/huge.md'), 'x'.repeat(1_000_001));
    const [unknown, ...unread] = await problemsOf(configOf(folder, { flags: { agent: 'evil' } }));
    expect(unknown).toMatch(/found 'evil'/);
    expect(unread).toEqual([
      expect.stringMatching(/evil\.md is not read: it leads out/),
      expect.stringMatching(/huge\.md is too big/),
    ]);
    expect(await configOf(folder, { flags: { agent: 'linked' } })).toMatchObject({
      config: { values: { maxSteps: 2 } },
    });
  });
});

describe('T13 an agent among the others who say something', () => {
  const files = {
    '.loopfold/agents/a.md': file('steps: 3'),
    'loopfold.config.json': '{"maxSteps": 7, "maxTokens": 5}',
  };

  test('T13 it is louder than a file', async () =>
    expect((await agentIn(files, 'a')).values).toEqual({ maxSteps: 3, maxTokens: 5, system: 'Do it.' }));

  test('T13 a flag or a variable is louder than it', async () => {
    expect((await agentIn(files, 'a', { maxSteps: '9', system: 'Mine.' })).values).toMatchObject({
      maxSteps: '9',
      system: 'Mine.',
    });
    const folder = await folderWith(files);
    const env = { HOME: folder, LOOPFOLD_AGENT: 'a', LOOPFOLD_MAX_STEPS: '8' };
    expect(await configOf(folder, { env })).toMatchObject({ config: { values: { maxSteps: '8' } } });
  });

  test.each([
    [5, 5],
    [200, 200],
    [5000, 200],
  ])('T3 T13 of %i steps and the ceiling the smaller holds: %i', async (asked, effective) => {
    const { values } = await agentIn({ '.loopfold/agents/a.md': file(`steps: ${asked}`) }, 'a');
    expect(resolveSettings({ prompt: 'x', ...values })).toMatchObject({
      kind: 'settings',
      settings: { limits: { maxSteps: effective } },
    });
  });

  test('T8 T13 no steps at all are an agent that only speaks', async () => {
    const { values } = await agentIn({ '.loopfold/agents/a.md': file('steps: 0') }, 'a');
    expect(resolveSettings({ prompt: 'x', ...values })).toMatchObject({ settings: { limits: { maxSteps: 0 } } });
  });
});
