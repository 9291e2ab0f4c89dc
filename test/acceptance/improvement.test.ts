import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { resultIn } from '../cli/program.ts';
import { loopfold } from '../cli/warm-process.ts';
import { worktreesOf } from '../hosts/local/isolation/isolated.ts';
import { testInTurn } from '../support/in-turn.ts';
import { FAILING, FILES, plantedRepository } from './planted-faults.ts';
import { eventsOf } from './recorded-events.ts';

/** The program of these tests, as checks find it. */
const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` };
const SCRIPT = join(import.meta.dirname, 'improving-model.ts');

/** The module of a model that mends, and once cheats. */
async function improving(folder: string): Promise<string> {
  const model = join(folder, 'model.ts');
  await writeFile(model, `export { answer as default } from ${JSON.stringify(SCRIPT)};\n`);
  return model;
}

test('I3 I5 I9 a night keeps the true one of two fixes, and says why it refused the other', async () => {
  const { root: cwd, beside, untouched, filesOf } = await plantedRepository(FAILING);
  const model = await improving(beside);
  const before = { ...(await untouched()), files: await filesOf('HEAD') };

  const words = ['improve', '--trust', '-m', `script:${model}`, '--output-format', 'json'];
  const night = resultIn(await loopfold(words, { cwd, env }));

  const events = await eventsOf(cwd, env);
  const titles = new Map(
    events.flatMap(({ type, payload }) =>
      type === 'discovery.completed' ? payload.discoveries.map(({ id, title }) => [id, title] as const) : [],
    ),
  );
  const judged = events.flatMap(({ type, payload }) =>
    type === 'evaluation.completed' ? [[titles.get(payload.candidate), payload.passed, payload.tier]] : [],
  );
  expect(judged).toEqual(
    expect.arrayContaining([
      ['Test fails: adds', true, null],
      ['Test fails: thirds', false, 'L1'],
    ]),
  );
  const branch = `loopfold/${night.run ?? ''}`;
  const improved = await filesOf(branch);
  expect(Object.keys(improved).filter((path) => improved[path] !== before.files[path])).toEqual(['src/sum.js']);
  const { heads, ...after } = await untouched();
  expect({ ...after, heads: heads.replace(/.*loopfold\/.*\n/, ''), files: await filesOf('HEAD') }).toEqual(before);
  expect(await worktreesOf(cwd)).toEqual([]);
});

testInTurn(
  'I3 I5 I9 I12 I15 a night keeps true fixes, says which tier refused what, and changes nothing else',
  async () => {
    const repo = await plantedRepository();
    const { root: cwd, beside, untouched, filesOf, git } = repo;
    const model = await improving(beside);
    const before = { ...(await untouched()), files: await filesOf('HEAD') };

    const words = ['improve', '--trust', '-m', `script:${model}`, '--output-format', 'json'];
    const night = resultIn(await loopfold(words, { cwd, env }));

    // A benchmark may find something else, so three iterations in vain end it.
    // came of it.
    expect(night).toMatchObject({
      exit: 0,
      outcome: { ending: 'success', verified: { grade: 'witnessed' } },
      reason: expect.stringMatching(/^4 improvements kept; 3 iterations in a row without an improvement/),
    });
    const events = await eventsOf(cwd, env);
    const titles = new Map(
      events.flatMap(({ type, payload }) =>
        type === 'discovery.completed' ? payload.discoveries.map(({ id, title }) => [id, title] as const) : [],
      ),
    );
    const judged = events.flatMap(({ type, payload }) => (type === 'evaluation.completed' ? [payload] : []));
    const refused = judged.filter(({ passed }) => !passed);
    expect(refused.map(({ candidate, tier }) => [titles.get(candidate), tier]).toSorted()).toEqual([
      ['Test fails: thirds', 'L1'],
      ['Test is skipped: halves nothing', 'grounds'],
    ]);
    const kept = events.flatMap(({ type, payload }) => (type === 'integration.completed' ? [payload] : []));
    expect(kept.map(({ candidate }) => titles.get(candidate))).toEqual([
      'Test fails: adds',
      expect.stringContaining('src/label.ts'),
      expect.stringContaining('Benchmark unique'),
      expect.stringContaining('TODO: sorted'),
    ]);

    const after = await untouched();
    const run = night.run ?? '';
    const branch = `loopfold/${run}`;
    expect({ ...after, heads: after.heads.replace(/.*loopfold\/.*\n/, ''), files: await filesOf('HEAD') }).toEqual(
      before,
    );
    expect(await worktreesOf(cwd)).toEqual([]);
    expect((await git('log', '--reverse', '--format=%H', `HEAD..${branch}`)).trim().split('\n')).toEqual(
      kept.map(({ commit }) => commit),
    );
    const improved = await filesOf(branch);
    const changed = Object.keys(improved).filter((path) => improved[path] !== before.files[path]);
    expect(changed).toEqual(['src/label.ts', 'src/list.js', 'src/sum.js', 'src/unique.js', 'test/sorted.test.js']);

    // The report says what the log says, to the token.
    const used = events.reduce(
      (sum, { payload: { usage } }) => sum + (usage ? usage.inputTokens + usage.outputTokens : 0),
      0,
    );
    const { stdout: report } = await loopfold(['improve', '--report'], { cwd, env });
    expect(used).toBeGreaterThan(0);
    expect(report).toContain(`- tokens: ${used.toLocaleString('en-US')}\n`);
    expect(report).toContain(`| total | ${used.toLocaleString('en-US')} | 100 % |`);
    expect(report).toContain(`- improvements: ${kept.length}\n`);
    for (const { commit } of kept) expect(report).toContain(`\`${commit.slice(0, 10)}\``);
    for (const { candidate } of refused) expect(report).toContain(titles.get(candidate) ?? 'a title');

    const applied = await loopfold(['apply', run], { cwd, env });
    expect(applied.status).toBe(0);
    const isNew = (path: string) => !Object.keys(FILES).includes(path);
    expect(changed.filter(isNew)).toEqual(['test/sorted.test.js']);
    expect((await git('status', '--porcelain')).trimEnd().split('\n')).toEqual(
      changed.map((path) => `${isNew(path) ? '??' : ' M'} ${path}`),
    );
  },
);
