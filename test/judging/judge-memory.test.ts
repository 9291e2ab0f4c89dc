import { describe, expect, test } from 'vitest';
import type { FrozenMachine } from '../../machines/index.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { Detector } from '../../src/detectors/detector.ts';
import type { Fact } from '../../src/kernel/effect-handlers.ts';
import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import type { LoopMemory } from '../../src/kernel/loop-memory.ts';
import { iterationLoop } from '../../src/loops/iteration/definition.ts';
import { turnLoop } from '../../src/loops/turn/definition.ts';
import { JudgeMemory } from '../../src/judging/judge-memory.ts';
import { sound } from '../evidence/sound-proof.ts';
import * as has from '../support/facts.ts';
import { createHarness } from '../support/harness.ts';

const settings = createHarness({ model: { answers: [{ text: 'x' }] } }).settingsOf({ checks: ['true'] });
const at = '2030-01-01T00:00:00.000Z';
const fact = (run: string, version: number, event: Pick<Fact, 'type' | 'payload'>) =>
  ({ ...event, run, version, at }) as Fact;
const warning = (run: string, version: number, code = 'x') =>
  fact(run, version, { type: 'warning.raised', payload: { code, message: '' } });

test('a version in the prefix of a fork belongs to the run that wrote it', () => {
  const memory = new JudgeMemory('c', settings, () => [], turnLoop);
  for (const [run, version] of [
    ['a', 1],
    ['a', 2],
    ['b', 3],
    ['c', 4],
    ['c', 5],
  ] as const)
    memory.observe(warning(run, version));
  expect([1, 2, 3, 4, 5, 6].map(memory.idOf)).toEqual(['a/1', 'a/2', 'b/3', 'c/4', 'c/5', 'c/6']);
});

test('a finding holds until the work goes on', () => {
  const finding = (level: 'stop' | 'nudge') => ({ detector: 'any', level, count: 1, message: level, evidence: [] });
  const detector: Detector<null> = {
    name: 'any',
    init: () => null,
    step: (state, event) =>
      event.type === 'warning.raised'
        ? {
            state,
            finding: finding(event.payload.code === 'bad' ? 'stop' : 'nudge'),
          }
        : { state },
  };
  for (const [over, loop] of [
    ['step.started', turnLoop],
    ['iteration.started', iterationLoop],
    ['run.continued', turnLoop],
  ] as const) {
    const memory = new JudgeMemory('a', settings, () => [detector as Detector], loop);
    memory.observe(warning('a', 1, 'so-so'));
    memory.observe(warning('a', 2, 'bad'));
    expect(memory.findings.map(({ message }) => message)).toEqual(['nudge', 'stop']);
    const { limits, attemptLimits, strategy } = settings;
    const payloads = {
      'step.started': { step: 0, startedAt: at },
      'iteration.started': { iteration: 0, startedAt: at },
      'run.continued': { limits, attemptLimits, strategy, idleMs: 0 },
    };
    memory.observe(fact('a', 3, { type: over, payload: payloads[over] } as Pick<Fact, 'type' | 'payload'>));
    expect(memory.findings).toEqual([]);
  }
});

test('a continuation warns again of a limit that is near', () => {
  const memory = new JudgeMemory('a', settings, () => [], turnLoop);
  const limit = { name: 'tokens', used: 9, limit: 10 } as const;
  memory.observe(fact('a', 1, { type: 'warning.raised', payload: { code: 'limit_near', message: '', limit } }));
  memory.observe(warning('a', 2));
  expect([...memory.warnedOf]).toEqual(['tokens']);
  const { limits, attemptLimits, strategy } = settings;
  memory.observe(fact('a', 3, { type: 'run.continued', payload: { limits, attemptLimits, strategy, idleMs: 0 } }));
  expect([...memory.warnedOf]).toEqual([]);
});

test('checks that ran are the report, and their verdict is kept by workspace', () => {
  const memory = new JudgeMemory('a', settings, () => [], turnLoop);
  memory.observe(fact('a', 1, has.checked(false, 'tree-1')));
  expect(memory.report).not.toBeNull();
  expect([...memory.verdicts]).toEqual([['tree-1', false]]);
  memory.observe(fact('a', 2, has.checked(true, null)));
  memory.observe(
    fact('a', 3, { type: 'verification.completed', payload: { passed: true, workspace: 'b', levels: [] } }),
  );
  expect(memory.report).toBeNull();
  expect([...memory.verdicts]).toEqual([['tree-1', false]]);
});

test('checks on what the run begins with are the baseline, and no report', () => {
  const memory = new JudgeMemory('a', settings, () => [], turnLoop);
  memory.observe(fact('a', 1, has.baselineTaken(false)));
  expect(memory.baseline).not.toBeNull();
  expect(memory.report).toBeNull();
});

test('what the first prompt says of the beginning comes from the baseline and from the grounds inherited', () => {
  const inherited = [{ run: 'night-1', path: 'test/a.test.ts' }];
  const proof = { ...has.settingsOf('turn', { proof: true }).proof, inherited } as RunSettings['proof'];
  const memory = new JudgeMemory('a', { ...settings, proof }, () => [], turnLoop);
  memory.observe(fact('a', 1, has.baselineTaken(false)));
  expect(memory.beginning).toEqual([expect.stringContaining('run night-1 changed test/a.test.ts')]);
});

describe('a migration', () => {
  const to = fact('a', 3, { type: 'run.migrated', payload: { from: 'turn@1', to: 'turn@2' } });
  const noMigration = { migrate: (frozen: FrozenMachine) => frozen };
  const remembering = (version: string) => (run: string, _settings: RunSettings, earlier?: LoopMemory) => ({
    observe: () => {},
    task: `${version} of ${run} after ${earlier?.task ?? 'nothing'}`,
  });
  const loopWith = (remember: NonNullable<LoopDefinition['remember']>, next?: LoopDefinition): LoopDefinition => ({
    ...turnLoop,
    remember,
    ...(next ? { migration: { ...noMigration, to: next } } : {}),
  });

  test('makes the next version judge, with a memory made from the one before', () => {
    const next = loopWith(remembering('second'));
    const memory = new JudgeMemory('a', settings, () => [], loopWith(remembering('first'), next));
    expect(memory.own.task).toBe('first of a after nothing');
    memory.observe(warning('a', 2));
    expect(memory.own.task).toBe('first of a after nothing');
    memory.observe(to);
    expect(memory.loop).toBe(next);
    expect(memory.own.task).toBe('second of a after first of a after nothing');
  });

  test('keeps the memory where both versions remember alike', () => {
    const remember = remembering('either');
    const next = loopWith(remember);
    const memory = new JudgeMemory('a', settings, () => [], loopWith(remember, next));
    const { own } = memory;
    memory.observe(to);
    expect(memory.loop).toBe(next);
    expect(memory.own).toBe(own);
  });

  test('to no version that is known changes nothing', () => {
    const loop = loopWith(remembering('only'));
    const memory = new JudgeMemory('a', settings, () => [], loop);
    memory.observe(to);
    expect(memory.loop).toBe(loop);
    expect(memory.own.task).toBe('only of a after nothing');
  });
});

describe('given what a run was started to accept', () => {
  const checked = { passed: true, workspace: 'tree', levels: [] };
  const controls = [{ check: 'npm test', by: 'tests', is: 'none' }] as const;
  const proof = { ...sound, controls: [...controls] };
  const judgedBy = (accept: RunSettings['accept'], payload: object) => {
    const memory = new JudgeMemory('a', { ...settings, ...(accept ? { accept } : {}) }, () => [], turnLoop);
    memory.observe(
      fact('a', 1, { type: 'verification.completed', payload: { ...checked, ...payload } } as Pick<
        Fact,
        'type' | 'payload'
      >),
    );
    return [memory.grade, memory.enough];
  };

  test('V15 its judge knows whether the grade of the newest checks is enough', () => {
    expect(judgedBy(undefined, { proof })).toEqual(['verified', false]);
    expect(judgedBy('verified', { proof })).toEqual(['verified', true]);
    expect(judgedBy('verified', {})).toEqual(['weak', false]);
    expect(judgedBy('weak', {})).toEqual(['weak', true]);
  });

  test('V15 checks without a grade are neither enough nor too little', () => {
    expect(judgedBy(undefined, { ungraded: true })).toEqual([null, null]);
  });
});
