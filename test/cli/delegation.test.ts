import { describe, expect, test } from 'vitest';
import { folder, MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const handing = (task: string, agent: string) => ({ tool: 'delegate', arguments: { task, agent } });

describe('work that a model delegates', () => {
  test('is done by an agent of the user, told line by line, and counted on the page of the run', async () => {
    const cwd = await project(
      {
        answers: [
          {
            calls: [handing('Look north', 'scout'), handing('Look south', 'Scout'), handing('Sing', 'stranger')],
            usage: { inputTokens: 50, outputTokens: 5 },
          },
          { text: 'All was seen.', usage: { inputTokens: 50, outputTokens: 5 } },
        ],
      },
      { 'loopfold.config.json': JSON.stringify({ tools: ['delegate', 'list', 'finish'], maxTokens: 500_000 }) },
      false,
    );
    const answers = [{ calls: [{ tool: 'list', arguments: { path: '.' } }] }, { text: 'seen' }];
    const home = await folder({
      'loopfold/agents/scout.md':
        '---\nname: Scout\nmodel: script:scout.json\ntools: [list, shell]\n---\n\nYou look.\n',
      'loopfold/agents/scout.json': JSON.stringify({
        answers: answers.map((answer) => ({ ...answer, usage: { inputTokens: 100, outputTokens: 10 } })),
      }),
    });
    const how = { cwd, env: { XDG_CONFIG_HOME: home } };
    const ran = await loopfold(['run', 'Look around', ...MODEL, '--output-format', 'json'], how);
    expect(ran.status).toBe(0);
    const result = resultIn(ran);
    expect(result).toMatchObject({
      answer: 'All was seen.',
      spend: { inputTokens: 500, outputTokens: 50, steps: 6, toolCalls: 5 },
      usage: { inputTokens: 500 },
    });
    expect(ran.stderr).toMatch(/^ {2}\w{8} Look north$/m);
    expect(ran.stderr).toMatch(/^ {2}\w{8} (?:step 2)? {2}seen$/m);
    expect(ran.stderr).toContain('✗ there is no agent "stranger"; there are: Architect, Coder, Refactorer, Scout');

    const shown = await loopfold(['show', '--last'], how);
    expect(shown.stdout).toMatch(/delegated {2,}2 runs: 2 success\n/);
    const listed = JSON.parse((await loopfold(['runs', '--json'], how)).stdout) as readonly unknown[];
    expect(listed).toHaveLength(1);
    const page = JSON.parse((await loopfold(['show', '--last', '--json'], how)).stdout) as {
      handedOver: readonly { child: string }[];
    };
    const child = await loopfold(['show', page.handedOver[0]?.child ?? '', '--json'], how);
    expect(JSON.parse(child.stdout)).toMatchObject({
      settings: { agent: 'Scout', tools: ['list'], system: 'You look.' },
      next: [expect.stringContaining('show')],
    });
    expect((await loopfold(['show', page.handedOver[0]?.child ?? ''], how)).stdout).toContain('delegated by');
  });
});
