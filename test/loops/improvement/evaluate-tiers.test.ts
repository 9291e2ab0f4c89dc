import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HeldOutSettings } from '../../../machines/settings.ts';
import { heldOutFiles } from '../../../src/actors/proof/held-out-files.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { check, headOf } from './evaluated.ts';
import { NODE_TESTS } from '../../support/node-tests.ts';

const PASSES = check('unit', NODE_TESTS);
const FILES = {
  'sum.cjs': 'exports.add = (a, b) => a + b;\n',
  'sum.test.cjs':
    "require('node:test')('adds', () => require('node:assert').equal(require('./sum.cjs').add(1, 2), 3));\n",
};
const IDEA = { source: 'ideas', title: 'an idea' } as const;

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'loopfold-held-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  return folder;
}

describe('I9 the tier applies', () => {
  testInTurn('I9 refuses a change of nothing, and one that meets another change of the head', async () => {
    const on = await headOf({ files: { ...FILES, 'a.txt': 'one\ntwo\nthree\n' }, checks: [PASSES] });
    expect((await on.evaluate({}, IDEA)).end).toMatchObject({ passed: false, tier: 'applies', tree: null });
    const head = await on.laterHead({ 'a.txt': 'ONE\ntwo\nthree\n' });
    const clash = await on.evaluate({ 'a.txt': 'eins\ntwo\nthree\n' }, IDEA, { head });
    expect(clash.end).toMatchObject({ passed: false, tier: 'applies', reason: expect.stringContaining('a.txt') });
  });

  testInTurn('I9 brings a change into a head that has changed since, and keeps both', async () => {
    const on = await headOf({ files: { ...FILES, 'a.txt': 'one\n2\n3\n4\n5\n6\nseven\n' }, checks: [PASSES] });
    const head = await on.laterHead({ 'a.txt': 'ONE\n2\n3\n4\n5\n6\nseven\n' });
    const said = await on.evaluate({ 'a.txt': 'one\n2\n3\n4\n5\n6\nSEVEN\n' }, IDEA, { head });
    expect(said.end).toMatchObject({ passed: true });
    expect(await on.git('cat-file', 'blob', `${said.end?.tree}:a.txt`)).toBe('ONE\n2\n3\n4\n5\n6\nSEVEN\n');
    expect(said.built).toMatchObject({ base: on.base, changed: [{ path: 'a.txt', added: 1, removed: 1 }] });
  });

  test('I1 without an evaluation it is all that is asked', async () => {
    const options = { phases: { evaluate: { enabled: false } } };
    const on = await headOf({ files: FILES, checks: [check('unit', 'false')], options });
    const said = await on.evaluate({ 'a.txt': 'a\n' }, IDEA);
    expect(said.end).toMatchObject({ passed: true, tree: said.built?.tree });
    expect(said.tiers.map(({ tier }) => tier)).toEqual(['ended', 'applies']);
    expect(said.verified).toBe(undefined);
  });

  testInTurn('I9 comes to the same when it is started again, also where its worktree is gone by then', async () => {
    const on = await headOf({ files: FILES, checks: [PASSES] });
    const said = await on.evaluate({ 'a.txt': 'a\n' }, IDEA);
    await rm(said.directory, { recursive: true });
    const again = await said.again();
    expect(again.end).toEqual(said.end);
    expect(again.built).toEqual(said.built);
  });

  testInTurn('I9 told to stop it says so, and nothing else', async () => {
    const on = await headOf({ files: FILES, checks: [PASSES] });
    const said = await on.evaluate({ 'a.txt': 'a\n' }, IDEA, { signal: AbortSignal.abort('enough') });
    expect(said.types.at(-1)).toBe('evaluation.interrupted');
    expect(said.end).toBe(undefined);
  });
});

describe('I9 tiers before the checks', () => {
  const focused = (command: string, costUsd = 0) => ({
    phases: { evaluate: { focused: { name: 'near', command, costUsd } } },
  });

  testInTurn('I9 get the changed files, quoted, and refuse what fails twice', async () => {
    const on = await headOf({ files: FILES, checks: [PASSES], options: focused('cat {files} | grep -q good') });
    expect((await on.evaluate({ "it's a.txt": 'good\n', 'b c.txt': 'x\n' }, IDEA)).end).toMatchObject({ passed: true });
    const bad = await on.evaluate({ 'a.txt': 'bad\n' }, IDEA);
    expect(bad.end).toMatchObject({ passed: false, tier: 'near' });
    expect(bad.passed).toEqual(['ended', 'applies', 'grounds']);
    expect(bad.verified).toBe(undefined);
  });

  testInTurn('I9 that fail on the head, too, refuse nothing: what is red there may stay so', async () => {
    const files = { ...FILES, 'red.txt': 'bad\n', 'green.txt': 'good\n' };
    const on = await headOf({ files, checks: [PASSES], options: focused('cat {files} | grep -q good') });
    const asBefore = await on.evaluate({ 'red.txt': 'worse\n', 'new.txt': 'x\n' }, IDEA);
    expect(asBefore.end).toMatchObject({ passed: true });
    expect(asBefore.tiers[3]).toMatchObject({
      tier: 'near',
      passed: true,
      detail: expect.stringContaining('as on the'),
    });
    expect((await on.evaluate({ 'green.txt': 'bad\n' }, IDEA)).end).toMatchObject({ passed: false, tier: 'near' });
    expect((await on.evaluate({ 'new.txt': 'bad\n' }, IDEA)).end).toMatchObject({ passed: false, tier: 'near' });
  });

  test('I9 that fail once and pass again are named, and what they cost counts in tokens of the model', async () => {
    const folder = await folderWith({});
    const command = `test -e ${folder}/ran || { touch ${folder}/ran; exit 1; }`;
    const on = await headOf({ files: FILES, checks: [PASSES], options: focused(command, 0.5), walls: 'off' });
    const price = { inputPerMillion: 2, outputPerMillion: 8, source: 'test' };
    const said = await on.evaluate({ 'a.txt': 'a\n' }, IDEA, { services: { priceOf: async () => price } });
    expect(said.end).toMatchObject({ passed: true });
    expect(said.tiers[3]).toMatchObject({ tier: 'near', kind: 'focused', passed: true, flickered: ['near'] });
    // Two runs at half a dollar, and two dollars a million tokens: 500,000 of them, and not 1,000.
    expect(said.end?.usage).toEqual({ inputTokens: 500_000, outputTokens: 0, cost: { nanoUsd: 1_000_000_000 } });
  });
});

describe('V7 held-out checks', () => {
  const EXAM = [
    "const test = require('node:test');",
    "test('sums of large numbers stay exact to the last digit', () => {",
    "  require('node:assert').equal(require('./sum.cjs').add(40_000_000, 2), 40_000_002);",
    '});',
  ].join('\n');

  async function heldOut(tells: HeldOutSettings['tells'] = 'count'): Promise<HeldOutSettings> {
    const from = await folderWith({ 'exam.test.cjs': EXAM });
    const found = await heldOutFiles(from);
    const digest = found.kind === 'held-out' ? found.digest : '';
    return { from, digest, checks: [check('exam', `${NODE_TESTS} exam.test.cjs`)], tells };
  }

  testInTurn('V7 I9 are the last tier, and tell how many failed', async () => {
    const on = await headOf({ files: FILES, checks: [PASSES], heldOut: await heldOut() });
    const good = await on.evaluate({ 'a.txt': 'a\n' }, IDEA);
    expect(good.end).toMatchObject({ passed: true });
    expect(good.passed).toEqual(['ended', 'applies', 'contamination', 'grounds', 'L1', 'resolves', 'held-out']);
    expect(good.verified?.proof?.heldOut).toMatchObject({ checks: 1, failed: 0 });
    const cheat = { 'sum.cjs': 'exports.add = (a, b) => (a < 9 ? a + b : 0);\n' };
    const bad = await on.evaluate(cheat, IDEA);
    expect(bad.end).toMatchObject({ passed: false, tier: 'held-out', reason: 'held-out checks failed: 1 of 1' });
    expect(JSON.stringify(bad)).not.toContain('large numbers');
  });

  test('I9 a change or an experiment that has lines of them is refused as contaminated', async () => {
    const exam = await heldOut();
    const on = await headOf({ files: FILES, checks: [PASSES], heldOut: exam });
    const copied = await on.evaluate({ 'mine.test.cjs': EXAM }, IDEA);
    expect(copied.end).toMatchObject({ passed: false, tier: 'contamination' });
    expect(copied.end?.reason).toContain('contaminated');
    expect(JSON.stringify(copied)).not.toContain('large numbers');
    const told = await headOf({
      files: FILES,
      checks: [PASSES],
      heldOut: exam,
      texts: ['I have read:', ` 2\t${EXAM}`],
    });
    const read = await told.evaluate({ 'a.txt': 'a\n' }, IDEA);
    expect(read.end).toMatchObject({ passed: false, tier: 'contamination' });
  });

  testInTurn('I9 lines that the head has, and those of every test, are no contamination', async () => {
    const files = { ...FILES, 'notes.txt': EXAM };
    const on = await headOf({ files, checks: [PASSES], heldOut: await heldOut(), texts: [EXAM] });
    const own = "const test = require('node:test');\ntest('adds nothing', () => {});\n";
    expect((await on.evaluate({ 'own.test.cjs': own }, IDEA)).end).toMatchObject({ passed: true });
  });
});

describe('I9 benchmarks', () => {
  // What prints its measure may be a shell, which starts in no time: a test is dozens of starts.
  const TOOK = { 'work.sh': 'echo "took $(sh cost.sh)"\n' };
  const SLOW = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900);\n';
  // It counts its runs in its checkout.
  const UNSTEADY = 'echo >> ran\nif [ $(($(wc -l < ran) % 2)) -eq 1 ]; then echo 60; else echo 150; fi\n';
  const bench = (more: object = {}) => ({
    phases: { evaluate: { benchmarks: [{ name: 'speed', command: 'sh work.sh', ...more }] } },
  });
  const OWN = { source: 'benchmarks', check: 'speed', title: 'speed is slow' } as const;

  testInTurn(
    'I9 one that a candidate is for has to improve beyond its threshold, with its whole interval',
    async () => {
      const print = { metric: '^took (\\d+(?:\\.\\d+)?)' };
      const files = { ...FILES, ...TOOK, 'cost.sh': 'echo 100\n' };
      const on = await headOf({ files, checks: [PASSES], options: bench(print) });
      const better = await on.evaluate({ 'cost.sh': 'echo 50\n' }, OWN);
      expect(better.end).toMatchObject({ passed: true });
      const measurement = { pairs: 9, ratio: 0.5, low: 0.5, high: 0.5, threshold: 0.95 };
      expect(better.tiers.at(-1)).toMatchObject({ tier: 'benchmark: speed', kind: 'benchmark', measurement });
      const noise = await on.evaluate({ 'cost.sh': UNSTEADY }, OWN);
      expect(noise.end).toMatchObject({ passed: false, tier: 'benchmark: speed' });
      expect(noise.end?.reason).toContain('the benchmark speed is noise: interval');
      // The benchmark itself counts as the head has it.
      const forged = await on.evaluate({ 'work.sh': 'echo took 1\n' }, OWN);
      expect(forged.end).toMatchObject({ passed: false, tier: 'benchmark: speed' });
    },
  );

  testInTurn('I9 any other candidate is refused only where it is clearly worse', async () => {
    const files = { ...FILES, 'work.cjs': "require('./cost.cjs');\n", 'cost.cjs': '' };
    const on = await headOf({ files, checks: [PASSES], options: bench({ command: 'node work.cjs' }) });
    const even = await on.evaluate({ 'a.txt': 'a\n' }, IDEA);
    expect(even.end).toMatchObject({ passed: true });
    // Two pairs near each other are enough where no others could make it worse; noise may take more.
    expect(even.tiers.at(-1)?.measurement?.pairs).toBeLessThan(9);
    const slower = await on.evaluate({ 'cost.cjs': SLOW }, IDEA);
    expect(slower.end).toMatchObject({ passed: false, tier: 'benchmark: speed' });
    expect(slower.end?.reason).toContain('is worse');
    expect(slower.tiers.at(-1)?.measurement).toMatchObject({ pairs: 9 });
  });

  testInTurn('I9 one that the head cannot be measured by refuses what is for it alone, and says so', async () => {
    const files = { ...FILES, ...TOOK, 'cost.sh': 'echo NaN\n' };
    const on = await headOf({ files, checks: [PASSES], options: bench({ metric: '^took (.*)' }) });
    const other = await on.evaluate({ 'a.txt': 'a\n' }, IDEA);
    expect(other.end).toMatchObject({ passed: true });
    const detail = 'speed on the head: it prints no number above 0 that matches ^took (.*)';
    expect(other.tiers.at(-1)).toMatchObject({ tier: 'benchmark: speed', passed: true, detail });
    const own = await on.evaluate({ 'cost.sh': 'echo 1\n' }, OWN);
    expect(own.end).toMatchObject({ passed: false, tier: 'benchmark: speed', reason: detail });
  });

  test('I9 one that measures nothing on the candidate, and something on the head, refuses any', async () => {
    const files = { ...FILES, ...TOOK, 'cost.sh': 'echo 1\n' };
    const on = await headOf({ files, checks: [PASSES], options: bench({ metric: '^took (.*)' }) });
    const broken = await on.evaluate({ 'cost.sh': 'echo NaN\n' }, IDEA);
    expect(broken.end).toMatchObject({ passed: false, tier: 'benchmark: speed' });
    expect(broken.end?.reason).toContain('speed on the candidate: it prints no number');
  });
});
