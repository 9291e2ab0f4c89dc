import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { Config } from '../../src/config/config.ts';
import { folder, project, resultIn } from '../cli/program.ts';
import { loopfold } from '../cli/warm-process.ts';
import { examplesOf } from '../docs/examples.ts';
import { testInTurn } from '../support/in-turn.ts';
import { tenthOf } from '../support/tenth.ts';

/** Only what the guide shows: a stranger has nothing else. */
const GUIDE = 'docs/guides/strategies.md';
const shown = (language: string) =>
  examplesOf(language).find(({ file, code }) => file === GUIDE && /patient/i.test(code))?.code ?? '';

const MODULES = [
  ['patient.ts', 'Patient', shown('ts')],
  ['patient.mjs', 'patient', shown('js')],
] as const;

/** The first attempt wins nothing over, the second one of two checks, then only the words change. */
const write = (content: string) => ({ calls: [{ tool: 'write', arguments: { path: 'state.txt', content } }] });
const SCRIPT = {
  attempts: [
    { answers: [{ text: 'I looked around.' }] },
    { answers: [write('half'), { text: 'Half of it.' }] },
    { answers: [write('half, in other words'), { text: 'Said it better.' }] },
    { answers: [write('half, once more'), { text: 'Better still.' }] },
    { answers: [{ text: 'No request asks for this.' }] },
  ],
};
const CHECKS = [
  '--verify',
  'test -s state.txt',
  '--verify',
  'grep -q whole state.txt || { echo not whole yet; exit 1; }',
] as const;

interface Decision {
  readonly action: string;
  readonly reason: string;
  readonly feedback?: string;
  readonly strategy?: { readonly name: string; readonly metadata: unknown };
  readonly sink?: { readonly ending: string; readonly finding?: { readonly detector: string } };
}

async function decisionsIn(cwd: string): Promise<Decision[]> {
  const { stdout } = await loopfold(['events', '--last', '--json'], { cwd });
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return events.flatMap(({ type, payload }) => (type === 'decision.made' ? [payload] : []));
}

async function workplace(name: string, code: string) {
  const elsewhere = await folder();
  const path = join(elsewhere, 'loops', name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, code);
  return { path, cwd: await project(SCRIPT) };
}

test.each(tenthOf(MODULES))(
  'L13 %s, taken from the guide into a folder of its own, drives a run to its end',
  async (name, exported, code) => {
    const { path, cwd } = await workplace(name, code);
    const words = [
      'run',
      'Make it whole.',
      '-m',
      'script:model.json',
      ...CHECKS,
      '--strategy',
      `custom:${path}#${exported}`,
    ];

    const ended = await loopfold([...words, '--output-format', 'json'], { cwd });

    expect(resultIn(ended)).toMatchObject({
      exit: 11,
      outcome: { ending: 'doom_loop', finding: { detector: 'strategy-stop' } },
    });
    const [baseline, first, ...said] = await decisionsIn(cwd);
    expect([baseline?.strategy, first?.strategy]).toEqual([undefined, undefined]);
    expect(said.map(({ action, reason }) => [action, reason])).toEqual([
      ['continue', '0 checks pass'],
      ['continue', '1 checks pass'],
      ['continue', '1 checks pass'],
      ['stop', 'strategy patient stopped the loop: no check won over in 2 iterations'],
    ]);
    expect(said.map(({ strategy }) => strategy)).toEqual([
      { name: 'patient', metadata: { best: 0, waited: 0 } },
      { name: 'patient', metadata: { best: 1, waited: 0 } },
      { name: 'patient', metadata: { best: 1, waited: 1 } },
      { name: 'patient', metadata: { best: 1, waited: 2 } },
    ]);
    expect(said[1]?.feedback).toContain('not whole yet');
    if (name.endsWith('.ts')) expect(ended.stderr).toContain('strategy_stop after 4 iterations');
  },
);

testInTurn('L13 the config that the guide shows is one, and its module is made with it', async () => {
  const { cwd } = await workplace('patient.ts', '');
  const asked = Config.parse(JSON.parse(shown('json')));
  await mkdir(join(cwd, 'loops'));
  await writeFile(join(cwd, 'loops/patient.ts'), shown('ts'));
  await writeFile(
    join(cwd, 'loopfold.config.json'),
    JSON.stringify({ ...JSON.parse(shown('json')), checks: ['false'] }),
  );
  expect(asked.strategy).toMatchObject({ name: 'custom', config: { config: { patience: 3 } } });
  const words = ['run', 'Make it whole.', '-m', 'script:model.json', '--trust', '--output-format', 'json'];
  expect(resultIn(await loopfold(words, { cwd })).iterations).toHaveLength(4);
  const flag = JSON.stringify({
    name: 'custom',
    config: { modulePath: './loops/patient.ts', strategyName: 'Patient', config: { patience: 0 } },
  });
  const refused = await loopfold([...words, '--strategy', flag], { cwd });
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain('it throws Error: patience: expected 1 or more, found 0');
});
