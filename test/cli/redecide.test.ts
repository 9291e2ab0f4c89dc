import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { folder, MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const write = (content: string) => ({ calls: [{ tool: 'write', arguments: { path: 'n.txt', content } }] });
const look = { calls: [{ tool: 'list', arguments: { path: '.' } }] };
let cwd = '';
let run = '';

beforeAll(async () => {
  cwd = await project({
    attempts: ['1', '3', '2'].map((n) => ({ answers: [write(n), look, look, { text: `wrote ${n}` }] })),
  });
  const words = [
    'run',
    'write two',
    ...MODEL,
    '--verify',
    'L1:grep 2 n.txt',
    '--detectors',
    'off',
    '--output-format',
    'json',
  ];
  run = resultIn(await loopfold(words, { cwd })).run ?? '';
});

describe('redecide', () => {
  test('a run decision by decision: the first difference, what is saved, and where knowledge ends', async () => {
    const { status, stdout } = await loopfold(['redecide', '--last', '--max-iterations', '2'], { cwd });
    expect(status).toBe(0);
    expect(stdout).toContain(`run ${run}, judged again by --max-iterations 2`);
    expect(stdout).toMatch(/\d+ +iteration 2 +go on +cap_hit +iteration limit reached \(2\/2\)/);
    expect(stdout).toMatch(/differs +first at version \d+: cap_hit/);
    expect(stdout).toMatch(/saves +1 iteration, 4 steps, 3 tool calls, [\d,]+ tokens/);
    expect(stdout).toMatch(
      /known +all of it: up to there nothing would have been otherwise, and there it would have ended/,
    );
  });

  test('redecide with nothing replaced agrees with every recorded judgement', async () => {
    const { stdout } = await loopfold(['redecide', run.slice(-8)], { cwd });
    expect(stdout).toMatch(/agrees +(\d+) of \1 judgements/);
    expect(stdout).toMatch(/known +all of it: nothing would have been otherwise/);
  });

  test('redecide judges attempts, and says where a changed prompt ends what is known', async () => {
    const { stdout } = await loopfold(['redecide', '--detectors', 'default'], { cwd });
    expect(stdout).toMatch(
      /attempt 1, step 3 +go on +go on, other words +the next prompt says: You may be going in circles/,
    );
    expect(stdout).toMatch(/differs +in words only, from version \d+ of run \w{8} on/);
    expect(stdout).toMatch(
      /known +up to version \d+ of run \w{8}: what follows comes from a history that would not have been/,
    );
  });

  test('redecide names calls that it would refuse, and claims no other prompt', async () => {
    const thrice = { calls: [...look.calls, ...look.calls, ...look.calls, ...write('2').calls] };
    const place = await project({ answers: [thrice, { text: 'done' }] });
    await loopfold(['run', 'look', ...MODEL, '--loop', 'turn', '--detectors', 'off'], { cwd: place });
    const { stdout } = await loopfold(['redecide', '--last', '--detectors', 'same-message'], { cwd: place });
    expect(stdout).toMatch(/step 1 +all calls run +refuses 0\.2 +refused: the same call 3 times/);
    expect(stdout).toMatch(/differs +in what is refused, from version \d+ of run \w{8} on/);
  });

  test('several judges are a table, as text and as JSON', async () => {
    const words = ['redecide', '--all', '--strategy', 'fixed', '--strategy', 'hybrid', '--max-iterations', '1'];
    const { stdout, stderr } = await loopfold(words, { cwd });
    expect(stdout).toMatch(
      /^judge +runs +agree +end earlier +end otherwise +go on \(unknown\) +saved +cost saved\nfixed +1 +0 +1 +0 +0 +[\d,]+ tokens +-\nhybrid +1 +0 +1/,
    );
    expect(stderr).toBe('');
    const tables = JSON.parse((await loopfold([...words, '--json'], { cwd })).stdout);
    expect(tables).toMatchObject([
      { judge: 'fixed', runs: 1, conclusions: { stops_earlier: 1 }, trees: [{ run, conclusion: 'stops_earlier' }] },
      { judge: 'hybrid' },
    ]);
  });

  test('--json is the whole tree', async () => {
    const tree = JSON.parse((await loopfold(['redecide', '--max-steps', '2', '--json'], { cwd })).stdout);
    expect(tree).toMatchObject({
      judge: '--max-steps 2',
      conclusion: 'stops_earlier',
      isOpen: true,
      redecided: { run, redecisions: expect.any(Array) },
    });
    expect(tree.below).toHaveLength(3);
    expect(tree.turn.run).toBe(tree.below[0].redecided.run);
  });

  test('0, and the log is not touched', async () => {
    const log = join(cwd, '.loopfold/log.db');
    const before = await readFile(log);
    expect((await loopfold(['redecide', '--strategy', 'ralph', '--detectors', 'strict'], { cwd })).status).toBe(0);
    expect((await readFile(log)).equals(before)).toBe(true);
  });

  test.each([
    [['--strategy', 'hybrd'], /strategy .*Did you mean hybrid/],
    [['--detectors', 'strikt'], /detectors\[0\] .*Did you mean strict/],
    [['--max-steps', '-1'], /maxSteps/],
    [['nobody'], /RUN: expected the id of a run/],
    [['--all', '--last'], /RUN: expected either --all or the ids of runs/],
  ])('2: %s', async (words, complaint) => {
    const { status, stderr } = await loopfold(['redecide', ...words], { cwd });
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(complaint) });
  });

  testInTurn(
    'a recorded strategy that is code is run only where it is named; named, it is asked in its thread',
    async () => {
      const module =
        'export const mine = { name: "mine", onIterationComplete: async ({ iteration }) => ({ continue: iteration < 1, reason: "mine " + iteration }) };\n';
      const place = await project({ answers: [{ text: 'done', repeat: 9 }] }, { 'mine.mjs': module });
      await loopfold(['run', 'x', ...MODEL, '--strategy', 'custom:mine.mjs#mine', '--max-iterations', '5'], {
        cwd: place,
      });
      expect(await loopfold(['redecide'], { cwd: place })).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('--strategy'),
      });
      const named = await loopfold(['redecide', '--strategy', 'custom:mine.mjs#mine'], { cwd: place });
      expect(named).toMatchObject({ status: 0, stdout: expect.stringMatching(/agrees +(\d+) of \1 judgements/) });
      expect((await loopfold(['redecide', '--all'], { cwd: place })).stderr).toContain('left out');
      const missing = await loopfold(['redecide', '--strategy', 'custom:gone.mjs#mine'], { cwd: place });
      expect(missing).toMatchObject({ status: 2, stderr: expect.stringContaining('gone.mjs') });
    },
  );

  test('7: a log that is no longer what was written', async () => {
    const place = await folder({ 'model.json': JSON.stringify({ answers: [{ text: 'done' }] }) });
    await loopfold(['run', 'x', ...MODEL], { cwd: place });
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(join(place, '.loopfold/log.db'));
    const [table] = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%payload%'")
      .all();
    database.exec(`UPDATE ${String(table?.['name'])} SET payload = replace(payload, 'done', 'gone')`);
    database.close();
    expect((await loopfold(['redecide'], { cwd: place })).status).toBe(7);
  });
});

describe('redecide --corpus', () => {
  const corpus = join(import.meta.dirname, '../corpus');
  const LETTER = { name: 'identical-calls', config: { results: 'ignore' } };

  testInTurn(
    'precision and recall of each detector, as text and as JSON; what is mistaken is named on stderr',
    async () => {
      const { status, stdout, stderr } = await loopfold(
        ['redecide', '--corpus', corpus, '--detectors', JSON.stringify([LETTER, 'handoff-cycle'])],
        { cwd },
      );
      expect(status).toBe(0);
      expect(stdout).toMatch(
        /^detector +loops +kinds +noticed +ended [^\n]+95 %\nidentical-calls +24 +\d+ +24 +24 .+\nhandoff-cycle +22 +\d+ +22 +22 [^]+\n\nall together +stuck [^\n]+\nstories to tune by +\d+ [^]+\nstories kept apart +\d+ .+\n$/,
      );
      expect(stderr).toMatch(/^identical-calls ended \d+ lookalikes: [^]+\nall \(kept apart\) missed \d+ loops: /);
      const scores = JSON.parse(
        (await loopfold(['redecide', '--corpus', corpus, '--detectors', 'monologue', '--json'], { cwd })).stdout,
      );
      expect(scores).toMatchObject([
        { detector: 'monologue', recall: 1, precision: 1, missed: [], intervals: { recall: { high: 1 } } },
        { detector: 'all' },
        { detector: 'all', isApart: true },
      ]);
    },
  );

  test.each([
    [['--corpus', '.'], /--corpus: expected a folder with stories/],
    [['--corpus', corpus, '--detectors', 'monolog'], /Did you mean monologue/],
    [['--corpus', corpus, '--all'], /RUN: expected either runs or --corpus/],
  ])('2: %s', async (words, complaint) => {
    const { status, stderr } = await loopfold(['redecide', ...words], { cwd });
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(complaint) });
  });
});
