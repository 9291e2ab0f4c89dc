import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../../../src/cli/args/find-run.ts';
import { refusal } from '../../../../src/cli/pages/refusal-text.ts';
import { type Model, type ModelAnswer, ModelError, type ModelRequest } from '../../../../src/actors/model/model.ts';
import type { RunOptions } from '../../../../src/config/options.ts';
import { Loops } from '../../../../src/hosts/local/local-host.ts';
import type { OptionsError } from '../../../../src/app/start/options-error.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { readSettings } from '../../../../src/runtime/read-settings.ts';
import { repository, temporaryFolder } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';

const PRICE = { inputPerMillion: 0, outputPerMillion: 10, source: 'test' };

/** Loops whose model gives these answers, one after the other, and keeps what it was asked. Each costs ten cents. */
function talking(answers: readonly ModelAnswer[]) {
  const asked: ModelRequest[] = [];
  const left = [...answers];
  const model: Model = {
    name: 'talking',
    answer: async (request) => {
      asked.push(request);
      return { usage: { inputTokens: 5, outputTokens: 10_000 }, ...(left.shift() ?? { text: 'That is all.' }) };
    },
    price: async () => PRICE,
    contextTokens: async () => 100_000,
  };
  const log = memoryLog();
  const loops = new Loops({ log, model });
  const run = async (options: RunOptions) => {
    const live = await loops.start(options);
    const end = await live.done;
    const settings = await readSettings(log, live.run);
    if (end.kind !== 'ended' || !settings) throw new Error(end.kind);
    return { run: live.run, warnings: live.warnings, outcome: end.outcome, settings };
  };
  return { asked, loops, run };
}

const refused = (loops: Loops, options: RunOptions): Promise<string> =>
  loops.start(options).then(
    () => 'started',
    (error: OptionsError) => error.message,
  );

const textsIn = (request: ModelRequest | undefined): readonly string[] =>
  (request?.messages ?? []).map((message) => (message.role === 'tool' ? message.output : message.text));

const writing = (path: string, content: string): ModelAnswer => ({
  text: `I write ${path}.`,
  calls: [{ tool: 'write', arguments: { path, content } }],
});

describe('G7 a run that has ended is talked to', () => {
  test('a turn, after its success: the model reads what was said and done, and how it ended', async () => {
    const { root: directory } = await repository({ 'a.txt': 'a' });
    const { asked, run } = talking([writing('b.txt', 'b'), { text: 'Written.' }, { text: 'Two files.' }]);
    const first = await run({ prompt: 'Write b.txt.', loop: 'turn', directory, system: 'You write.', maxSteps: 9 });
    expect(first.outcome.ending).toBe('success');
    const second = await run({ prompt: 'How many files?', continues: first.run });
    expect(second.warnings).toEqual([]);
    expect(textsIn(asked.at(-1))).toEqual([
      'Write b.txt.',
      'I write b.txt.',
      expect.stringContaining('b.txt'),
      'Written.',
      expect.stringMatching(/^The work on that has ended: success: .*\.$/),
      'How many files?',
    ]);
    expect(asked.at(-1)?.system).toBe('You write.');
    expect(second.settings).toMatchObject({ loop: 'turn', directory, limits: { maxSteps: 9 } });
    const third = await run({ prompt: 'And now?', continues: second.run, maxSteps: 3 });
    expect(third.settings.limits.maxSteps).toBe(3);
    expect(textsIn(asked.at(-1))).toEqual(expect.arrayContaining(['Write b.txt.', 'How many files?', 'Two files.']));
  });

  testInTurn('a loop of attempts: every attempt continues what was said, and has the checks of then', async () => {
    const { root: directory } = await repository({ 'a.txt': 'a' });
    const answers = [writing('b.txt', 'b'), { text: 'One.' }, { text: 'Nothing.' }, { text: 'Still nothing.' }];
    const { asked, run } = talking(answers);
    const checks = ['test -e b.txt'];
    const first = await run({ prompt: 'Write b.txt.', directory, checks, checkIn: 'workspace', maxIterations: 2 });
    const second = await run({ prompt: 'Now c.txt.', continues: first.run, checks: ['test -e c.txt'] });
    expect(second.outcome.ending).toBe('cap_hit');
    expect(second.settings).toMatchObject({ loop: 'iteration', limits: { maxIterations: 2 } });
    const again = asked.slice(2);
    expect(again.length).toBe(2);
    for (const request of again) {
      expect(textsIn(request).slice(0, 2)).toEqual([expect.stringMatching(/^Write b\.txt\./), 'I write b.txt.']);
      expect(textsIn(request).at(-1)).toContain('Now c.txt.');
    }
  });

  test('a reason that ends with a full stop is told with one', async () => {
    const refusal: ModelAnswer = { text: 'Not that.', cut: 'refusal' };
    const { asked, run } = talking([refusal, refusal, { text: 'Yes.' }]);
    const first = await run({ prompt: 'Say it.', loop: 'turn', directory: await temporaryFolder() });
    await run({ prompt: 'Then something else.', continues: first.run });
    expect(textsIn(asked.at(-1)).at(-2)).toMatch(/^The work on that has ended: .*refused.*[^.]\.$/);
  });

  testInTurn('a workspace that has changed since: its user and the model are told which files', async () => {
    const { root: directory, git } = await repository({ 'a.txt': 'a', 'b.txt': 'b' });
    const { asked, run } = talking([writing('c.txt', 'c'), { text: 'Done.' }]);
    const first = await run({ prompt: 'Write c.txt.', loop: 'turn', directory });
    await appendFile(join(directory, 'a.txt'), 'more');
    await writeFile(join(directory, 'c.txt'), 'C');
    await git('add', '--all');
    await git('commit', '--quiet', '-m', 'More');
    const second = await run({ prompt: 'And d.txt.', continues: first.run });
    expect(second.warnings).toEqual([
      expect.stringMatching(/^The workspace has changed since run \S+ ended: a\.txt and c\.txt\. /),
    ]);
    expect(textsIn(asked.at(-1)).at(-2)).toMatch(/no longer as you left them: a\.txt and c\.txt\. Read them again/);
  });

  testInTurn('base and baseline are taken anew, and grounds that the thread has changed do not count', async () => {
    const check = "grep -q '^green$' check.test.txt";
    const { root: directory } = await repository({ 'check.test.txt': 'red\n', 'src/a.txt': 'a' });
    const { run } = talking([writing('check.test.txt', 'green\n'), { text: 'Green.' }, { text: 'Green already.' }]);
    const caps = { maxIterations: 1, wait: false, control: 'off' } as const;
    const first = await run({ prompt: 'Turn it green.', directory, checks: [check], protect: ['*.test.txt'], ...caps });
    expect(first.outcome.ending).toBe('cap_hit');
    const second = await run({ prompt: 'Again.', continues: first.run });
    expect(second.warnings.join('\n')).toContain('check.test.txt');
    expect(second.settings.proof?.inherited).toEqual([{ path: 'check.test.txt', run: first.run }]);
    expect(second.settings.proof?.start).not.toBe(first.settings.proof?.base);
    expect(second.outcome.ending).toBe('cap_hit');
  });
});

describe('G7 a thread keeps its account', () => {
  const turn = { prompt: 'Count.', loop: 'turn' } as const;

  test('the cap of a message is its own, and that of the thread is for all of them', async () => {
    const directory = await temporaryFolder();
    const { loops, run } = talking([]);
    const first = await run({ ...turn, directory, maxCost: 1, threadMaxCost: 0.25 });
    expect(first.settings).toMatchObject({
      limits: { maxCostNanoUsd: 250_000_000 },
      thread: { continues: null, tokens: 0, nanoUsd: 0, ownMaxCostNanoUsd: 1_000_000_000 },
    });
    const second = await run({ prompt: 'On.', continues: first.run });
    expect(second.settings).toMatchObject({
      limits: { maxCostNanoUsd: 150_000_000 },
      thread: { continues: first.run, tokens: 10_005, nanoUsd: 100_000_000, maxCostNanoUsd: 250_000_000 },
    });
    const third = await run({ prompt: 'On.', continues: second.run, threadMaxCost: 'none' });
    expect(third.settings).toMatchObject({
      limits: { maxCostNanoUsd: 1_000_000_000 },
      thread: { tokens: 20_010, nanoUsd: 200_000_000, maxCostNanoUsd: null },
    });
    const words = { prompt: 'On.', continues: third.run, threadMaxCost: 0.3 };
    expect(await refused(loops, words)).toContain('more than the $0.3000 that the runs of this thread have cost');
  });

  test.each([0.2, 'none'] as const)(
    'a continuation with the cap %j does not pass that of the thread',
    async (maxCost) => {
      const directory = await temporaryFolder();
      const { loops, run } = talking([]);
      const first = await run({ ...turn, directory, maxCost: 1, threadMaxCost: 0.15 });
      const second = await run({ prompt: 'On.', continues: first.run, maxCost: 0.0001 });
      expect(second.outcome.ending).toBe('budget');
      const message = await loops.extend(second.run, { maxCost }).then(String, ({ message: said }: Error) => said);
      expect(message).toContain(
        'at most the $0.0500 that its thread has left of $0.1500. Only a message raises that cap',
      );
      expect(message).toContain(`run --continue ${second.run} --thread-max-cost USD`);
      const within = await loops.extend(second.run, { maxCost: 0.05 });
      if (within.kind !== 'live') throw new Error(within.kind);
      await within.live.done;
    },
  );
});

test('G7 extend after the cap of a thread is refused with a message that raises it', async () => {
  const directory = await temporaryFolder();
  const { loops, run } = talking([]);
  const ended = await run({ prompt: 'Count.', loop: 'turn', directory, threadMaxCost: 0.0001 });
  expect(ended.outcome.ending).toBe('budget');

  const extended = await loops.extend(ended.run, {});

  if (extended.kind !== 'not_raised') throw new Error(extended.kind);
  const { message, next } = refusal(extended, ended.run);
  expect(message).toMatch(
    /^threadMaxCost \(--thread-max-cost\): expected more than the \$0 already used, .* found \$0.0001$/,
  );
  expect(next).toEqual(['run', '--continue', shortId(ended.run), '--thread-max-cost', expect.any(String), 'TEXT']);
});

describe('G7 what cannot be continued is refused with what can be done', () => {
  test('a run that is not there, one that has not ended, one of another folder', async () => {
    const [directory, other] = [await temporaryFolder(), await temporaryFolder()];
    const asks = { text: 'Which?', calls: [{ tool: 'ask_user', arguments: { question: 'Which?' } }] };
    const { loops, run } = talking([{ text: 'Done.' }, asks]);
    const first = await run({ prompt: 'Go.', loop: 'turn', directory });
    expect(await refused(loops, { prompt: 'On.', continues: 'nothing' })).toContain('loopfold runs lists them');
    const elsewhere = await refused(loops, { prompt: 'On.', continues: first.run, directory: other });
    expect(elsewhere).toContain(`this one worked in ${directory}. Continue it there, with -C ${directory}`);
    const open = await loops.start({ prompt: 'Ask.', loop: 'turn', directory });
    expect(await refused(loops, { prompt: 'On.', continues: open.run })).toContain('loopfold steer adds to its task');
    await open.pause('user');
  });
});

test('G5 G7 a conversation that is summarised in a later run keeps the task of that run, once', async () => {
  const root = await temporaryFolder();
  await writeFile(join(root, 'long.txt'), `${'lorem ipsum '.repeat(9)}\n`.repeat(80));
  const asked: ModelRequest[] = [];
  const isSummary = ({ messages }: ModelRequest) => JSON.stringify(messages.at(-1)).includes('no longer fits');
  const model: Model = {
    name: 'narrow',
    answer: async (request) => {
      asked.push(request);
      const characters = JSON.stringify(request.messages).length;
      if (characters > 20_000) throw new ModelError('context-full', 'too long');
      const isDone = isSummary(request) || request.step > 3 || request.messages.length < 2;
      const calls = isDone ? [] : [{ tool: 'read', arguments: { path: 'long.txt', startLine: 1 + request.step } }];
      return { text: isSummary(request) ? 'SUMMARY' : 'So far.', calls };
    },
  };
  const loops = new Loops({ log: memoryLog(), model });
  const first = await loops.start({ prompt: 'The first task.', loop: 'turn', directory: root });
  await first.done;
  const second = await loops.start({ prompt: 'The second task.', continues: first.run });
  expect(await second.done).toMatchObject({ outcome: { ending: 'success' } });

  const summaries = asked.flatMap((request, at) => (isSummary(request) ? [at] : []));
  expect(summaries.length).toBeGreaterThan(0);
  for (const at of summaries) {
    for (const request of [asked[at], asked[at + 1]]) {
      expect(textsIn(request).filter((text) => text === 'The second task.')).toHaveLength(1);
    }
    expect(textsIn(asked[at + 1]).slice(0, 2)).toEqual(['The second task.', expect.stringContaining('SUMMARY')]);
  }
});
