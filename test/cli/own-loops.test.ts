import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder, listing, loopfold as inOwnProcess, Program, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';
import { LOOP, remade, reviewedProject, REVIEWS } from './reviewed-project.ts';
import { testInTurn } from '../support/in-turn.ts';

const lines = (text: string): readonly string[] => text.trimEnd().split('\n');

describe('a loop that is named by its module', () => {
  testInTurn('is run to its end, and shown by every verb', async () => {
    const { cwd, env, named } = await reviewedProject();

    const ended = await loopfold([...named, '--output-format', 'json'], { cwd, env });

    expect(ended.stderr).toContain('rejected: Call it sum.');
    expect(resultIn(ended)).toMatchObject({ exit: 0, outcome: { ending: 'success' } });
    const told = async (...words: readonly string[]) => {
      const { status, stdout, stderr } = await loopfold(words, { cwd, env });
      expect([words, status, stderr.replaceAll(/^next .*\n/gm, '')]).toEqual([words, 0, '']);
      return stdout;
    };
    expect(await told('runs')).toMatch(/success, verified +\S+ (m?s|min) ago/);
    expect(await told('show')).toContain('rejected: Call it sum.');
    expect(await told('events')).toMatch(/review\.given +approved: Good\./);
    expect(await told('machine', '--last')).toContain('reviewing');
    expect(await told('rebuild', '--last')).toContain('state success (reviewed@1, ended)');
    expect(await told('check')).toContain('4 runs: 4 same');
    await writeFile(join(cwd, 'exported.jsonl'), await told('events', '--last', '--json'));
    expect(await told('check', 'exported.jsonl')).toContain('1 run: 1 same');
    expect(await told('redecide', '--last', '--max-iterations', '1')).toContain('cap_hit');
    expect(await told('machine', `./${LOOP}`, '--bound')).toMatch(
      /a run of reviewed@1: at most .* attempts, captures, checks and reviews\n/s,
    );
    expect(await told('machine', '--last', '--bound')).toContain('at most 0 more events');
  });

  testInTurn('is recorded with the place of its module in the workspace, and the digest of its chart', async () => {
    const { cwd, env, named } = await reviewedProject();
    await loopfold(named, { cwd, env });
    const [started] = lines((await loopfold(['events', '--last', '--json'], { cwd, env })).stdout).map((line) =>
      JSON.parse(line),
    );
    expect(started.payload).toMatchObject({
      machine: 'reviewed@1',
      module: { path: LOOP, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  testInTurn('is found again from elsewhere, and goes on after it was cut off', async () => {
    const { cwd, env, named } = await reviewedProject({
      'review.json': JSON.stringify({
        attempts: REVIEWS.attempts.map(({ answers: [one] }) => ({ answers: [{ ...one, delayMs: 3_600_000 }] })),
      }),
    });
    const running = new Program([...named, '--max-time', '2h'], { cwd, env });
    await running.shows('✓ L0');
    running.signal('SIGKILL');
    await running.ended;
    await writeFile(join(cwd, 'review.json'), JSON.stringify(REVIEWS));

    const resumed = await loopfold(['resume', '--last', '-C', cwd, '--output-format', 'json'], {
      cwd: await folder(),
      env,
    });

    expect(resultIn(resumed)).toMatchObject({ exit: 0, outcome: { ending: 'success' } });
    const { stdout } = await loopfold(['events', '--last'], { cwd, env });
    expect(stdout).toMatch(/review\.interrupted +review cut short: the process that ran it is gone/);
  });

  test('is one of the configuration, which has to be trusted for it', async () => {
    const { cwd, env, words } = await reviewedProject({
      'loopfold.config.json': JSON.stringify({ loop: `./${LOOP}` }),
    });
    const refused = await loopfold(words, { cwd, env });
    expect(refused.stderr).toContain('it sets loop');
    expect(refused.status).toBe(2);
    expect(resultIn(await loopfold([...words, '--trust', '--output-format', 'json'], { cwd, env })).exit).toBe(0);
  });
});

describe('a run whose loop has gone, or changed,', () => {
  const ran = async () => {
    const made = await reviewedProject();
    await loopfold([...made.named, '--max-iterations', '1'], made);
    return made;
  };

  testInTurn('is listed and shown from the log alone, and what is missing is said where it is needed', async () => {
    const { cwd, env } = await ran();
    await rename(join(cwd, LOOP), join(cwd, 'loops/elsewhere.loop.ts'));
    for (const verb of ['runs', 'show', 'events']) expect((await loopfold([verb], { cwd, env })).status).toBe(0);
    for (const words of [
      ['rebuild'],
      ['extend', '--last', '--max-iterations', '3'],
      ['machine', '--last'],
      ['redecide', '--last', '--max-iterations', '1'],
    ]) {
      const { status, stderr } = await loopfold(words, { cwd, env });
      expect(stderr).toContain(`is folded by reviewed@1, and its module ${join(cwd, LOOP)} is not there`);
      expect([words, status]).toEqual([words, 5]);
    }
    const checked = await loopfold(['check'], { cwd, env });
    expect(checked.stdout).toContain(`reviewed@1: its loop is a custom one, from ${LOOP}, and was not loaded`);
    expect(checked.stdout).toContain('1 same, 1 refused');
    expect(checked.status).toBe(7);
  });

  testInTurn('is not folded by another chart of the same version', async () => {
    const { cwd, env } = await ran();
    const chart = join(cwd, 'loops/reviewed.machine.ts');
    await writeFile(
      chart,
      (await readFile(chart, 'utf8')).replace("'The attempts repeated themselves.'", "'Round and round.'"),
    );
    for (const words of [
      ['rebuild'],
      ['extend', '--last', '--max-iterations', '3'],
      ['redecide', '--last', '--max-iterations', '1'],
    ]) {
      const { status, stderr } = await inOwnProcess(words, { cwd, env });
      expect(stderr).toMatch(
        /its chart has changed: digest [0-9a-f]{12} then, [0-9a-f]{12} now\. Restore the chart; give the changed one a new version/,
      );
      expect([words, status]).toEqual([words, 2]);
    }
    expect((await inOwnProcess(['check'], { cwd, env })).stdout).toContain('reviewed@1: its chart has changed');
  });

  testInTurn(
    'is not folded if a payload does not fit the current schema: rebuild and show name the member',
    async () => {
      const made = await reviewedProject();
      const { cwd, env } = made;
      await loopfold(made.named, { cwd, env });
      const events = join(cwd, 'loops/reviewed.events.ts');
      await writeFile(
        events,
        (await readFile(events, 'utf8')).replace('remark: z.string()', 'remark: z.object({ text: z.string() })'),
      );

      const rebuilt = await inOwnProcess(['rebuild', '--last'], { cwd, env });
      expect(rebuilt.stderr).toMatch(
        /review\.given, cannot be read: its payload does not fit schema 1: payload\.remark: .*expected object, received string\. Put the schema/,
      );
      expect(rebuilt.status).toBe(7);
      expect((await inOwnProcess(['show'], { cwd, env })).stdout).toMatch(
        /payload\.remark: .*expected object, received string/,
      );
      const checked = await inOwnProcess(['check'], { cwd, env });
      expect(checked.stdout).toMatch(/^unreadable +\S+ +version \d+, review\.given: .*payload\.remark: /m);
      expect(checked.stdout).toContain(
        'the log is not damaged, the schema has changed under the same version of reviewed@1',
      );
      expect(checked.stdout).not.toMatch(/^damaged/m);
    },
  );

  test('is not resumed after its module has changed since it was trusted', async () => {
    const { cwd, env } = await ran();
    await writeFile(join(cwd, LOOP), `${await readFile(join(cwd, LOOP), 'utf8')}\n// Changed.\n`);
    const words = ['extend', '--last', '--max-iterations', '3'];
    const refused = await loopfold(words, { cwd, env });
    expect(refused.stderr).toContain(
      `${join(cwd, LOOP)} is not trusted: it is code, and a run of this log was started with it`,
    );
    expect(refused.status).toBe(2);
    expect((await loopfold([...words, '--trust'], { cwd, env })).status).toBe(0);
  });
});

describe('a module that gives no loop', () => {
  test.each([
    ['is no code', 'export const loop = ;', /fails when it is loaded: .*odd\.loop\.ts:1: SyntaxError/],
    [
      'imports what is not there',
      "import './nowhere.ts';",
      /fails when it is loaded: Error: Cannot find module '.*nowhere\.ts'/,
    ],
    ['throws', "throw new Error('not today');", /fails when it is loaded: Error: not today/],
    ['exports none', 'export const name = 1;', /exports name, and no loop\. Write: export const loop = defineLoop/],
    [
      'exports a machine',
      "export { reviewed } from './reviewed.machine.ts';",
      /exports reviewed, and no loop: a machine is made a loop by defineLoop/,
    ],
    [
      'breaks a rule',
      remade('export const loop = defineLoop({ ...reviewed, effects: {} });'),
      /reviewed@1 breaks .*rule.*askReviewer/s,
    ],
    [
      'has no handler for an effect of its own',
      remade('export const loop = { ...reviewed, handlers: {} };'),
      /exports reviewed@1, which starts askReviewer, and nothing executes it\. Write a function askReviewer into its handlers/,
    ],
    [
      'takes the name of one that ships',
      remade("export const loop = { ...reviewed, id: 'turn@1' };"),
      /exports a loop called turn, as one that ships is\. Give its machine another id/,
    ],
    [
      'exports several',
      remade("export const one = reviewed;\nexport const two = { ...reviewed, id: 'other@1' };"),
      /exports several loops \(reviewed, other\)\. Export the one to run as `loop`/,
    ],
  ])('because it %s is told so, and no run is begun', async (_what, code, told) => {
    const { cwd, env, words } = await reviewedProject({ 'loops/odd.loop.ts': code });
    const { status, stderr, stdout } = await loopfold([...words, '--loop', 'loops/odd.loop.ts'], { cwd, env });
    expect(stderr).toContain(join(cwd, 'loops/odd.loop.ts'));
    expect(stderr).toMatch(told);
    expect([status, stdout]).toEqual([2, '']);
    expect(await listing(cwd)).not.toContain('.loopfold');
  });

  test('a module of a loop that is not there is refused with the one that may be meant', async () => {
    const { cwd, env, words } = await reviewedProject();
    const { status, stderr } = await loopfold([...words, '--loop', './loops/revewed.loop.ts'], { cwd, env });
    expect(stderr).toContain(`is not there. Did you mean ${join(cwd, LOOP)}?`);
    expect(status).toBe(2);
  });

  test.each([
    ['by its path', './loops', (cwd: string) => `${join(cwd, 'loops')} is a folder. Did you mean ${join(cwd, LOOP)}?`],
    ['by its name', 'loops', () => `loop: loops is a folder, and no loop that ships. Did you mean ${LOOP}?`],
  ])('because it is a folder, %s, is told so, with the module in it', async (_how, named, told) => {
    const { cwd, env, words } = await reviewedProject();
    for (const asked of [
      [...words, '--loop', named],
      ['machine', named],
    ]) {
      const { status, stderr } = await loopfold(asked, { cwd, env });
      expect(stderr).toContain(told(cwd));
      expect(status).toBe(2);
    }
  });

  testInTurn('ends its run by an error where it answers with what is no event of its loop', async () => {
    const { cwd, env, words } = await reviewedProject({
      'loops/odd.loop.ts': remade(
        "export const loop = { ...reviewed, handlers: { askReviewer: async () => ({ type: 'review.gven', payload: {} }) } };",
      ),
    });
    const ended = await loopfold([...words, '--loop', 'loops/odd.loop.ts', '--output-format', 'json'], { cwd, env });
    expect(resultIn(ended)).toMatchObject({ exit: 13, outcome: { ending: 'abort', cause: 'error' } });
    expect(ended.stderr).toContain('review.gven is no event of reviewed@1');
  });
});

testInTurn('a loop whose folder has no packages at all is given those of the program', async () => {
  const { cwd, env, named } = await reviewedProject();
  await rm(join(cwd, 'node_modules'), { recursive: true, force: true });
  expect((await loopfold(named, { cwd, env })).status).toBe(0);
});
