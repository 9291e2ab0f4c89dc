import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NO_SPEND, type Outcome } from '../../machines/outcome.ts';
import { exitOf } from '../../src/cli/terminal/exit-status.ts';
import { failing, failingLines } from '../../src/cli/pages/failure-lines.ts';
import { invocation } from '../../src/cli/args/again.ts';
import { shellWords } from '../../src/text/shell-words.ts';
import { nextCommands } from '../../src/cli/pages/next-commands.ts';
import { roundLines } from '../../src/cli/pages/page-sections.ts';
import { questionLines } from '../../src/cli/terminal/question-lines.ts';
import { columns } from '../../src/cli/pages/table.ts';
import { iterationLoop } from '../../src/loops/iteration/definition.ts';
import type { RunSummary } from '../../src/projections/run-summary.ts';
import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import { fc } from '../support/fast-check.ts';

describe('the exit status', () => {
  const verified = { version: 7, workspace: null };
  test('16: a success that was asked to be proven, and was not', () => {
    expect(exitOf({ ending: 'success', verified: null, partial: false }, true)).toBe(16);
    expect(exitOf({ ending: 'success', verified: null, partial: false }, false)).toBe(0);
    expect(exitOf({ ending: 'success', verified, partial: false }, true)).toBe(0);
    expect(exitOf({ ending: 'success', verified, partial: true }, false)).toBe(16);
  });

  test('every other ending has its own', () => {
    const limit = { name: 'steps', used: 1, limit: 1 } as const;
    const finding = { detector: 'd', level: 'stop', count: 3, message: 'm', evidence: [] } as const;
    const others: Outcome[] = [
      { ending: 'cap_hit', limit },
      { ending: 'doom_loop', finding: { ...finding, evidence: [] } },
      { ending: 'budget', limit },
      { ending: 'abort', cause: 'user', fault: null },
    ];
    expect(others.map((outcome) => exitOf(outcome, true))).toEqual([10, 11, 12, 13]);
  });
});

describe('the lines that say what failed', () => {
  test('a test runner: the failures, without counts, headings and stack frames, each once', () => {
    const output = [
      '✔ adds',
      '✖ subtracts (1ms)',
      'ℹ fail 1',
      '✖ failing tests:',
      '✖ subtracts (1ms)',
      '  TypeError: no minus',
      '    at minus.js:1:1',
      '  expected: 3,',
      '0 errors',
    ];
    expect(failingLines(output.join('\n'))).toEqual(['✖ subtracts (1ms)', '  TypeError: no minus']);
  });

  test('L16 where no line says so, the last ones', () => {
    expect(failingLines(Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n'))).toEqual(
      [22, 23, 24, 25, 26, 27, 28, 29].map((n) => `line ${n}`),
    );
    expect(failingLines('\n\n')).toEqual([]);
  });

  test('V6 a proof: every line, a long one folded, since what to do about it comes last', () => {
    const files = [
      'Tests that must fail were added to these files:',
      ...Array.from({ length: 20 }, (_, n) => `- ${n}`),
    ];
    const long = 'keep them and finish again, '.repeat(12).trim();
    const output = [...files, long, '-'.repeat(300)].join('\n');
    const shown = failing({ name: 'proof', exitCode: null, output });
    expect(shown.slice(0, files.length)).toEqual(files);
    expect(shown.slice(files.length, -3).join(' ')).toBe(long);
    expect(shown.slice(-3).join('')).toBe('-'.repeat(300));
    expect(Math.max(...shown.map(({ length }) => length))).toBe(100);
    // A check of the same name ends with a status.
    expect(failing({ name: 'proof', exitCode: 1, output })).toEqual(files.slice(0, 1));
  });
});

describe('questions', () => {
  const asked = { run: 'r', callId: 'grounds', choices: [], path: null, askedAt: '', event: 'r/1', isOpen: true };
  const text = 'Does it count?\n-old\n\n+new \u001b[31m';

  test('V6 an approval is shown line by line, and no line of it looks like one of ours', () => {
    const question = { ...asked, kind: 'approval', approval: { allows: 'all', digest: 'd' } } as const;
    expect(questionLines({ ...question, text })).toEqual([
      '? Does it count?',
      '  │ -old',
      '  │',
      '  │ +new',
      '  allows  all',
    ]);
  });

  test('what a model asks is one line', () => {
    expect(questionLines({ ...asked, kind: 'question', text })).toEqual(['? Does it count? -old +new']);
  });
});

describe('commands to paste', () => {
  test('a shell reads words back as they were', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom(...`a'"$\\ \n;é*-`) }), { minLength: 1, maxLength: 4 }),
        (words) => {
          const read = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${shellWords(words)}`], { encoding: 'utf8' });
          expect(read.split('\0').slice(0, -1)).toEqual(words);
        },
      ),
      { numRuns: 25 },
    );
  });

  test('the program is called the way it was', () => {
    const root = mkdtempSync(join(tmpdir(), 'loopfold-words-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const cwd = join(root, 'home/person/project');
    mkdirSync(join(cwd, 'bin'), { recursive: true });
    const execPath = join(root, 'node');
    writeFileSync(execPath, '', { mode: 0o755 });
    symlinkSync(execPath, join(cwd, 'bin/node'));
    const started = { execPath, cwd, env: { PATH: join(cwd, 'bin') } };
    expect(invocation({ ...started, file: join(cwd, 'src/cli/main.ts') })).toEqual(['node', 'src/cli/main.ts']);
    expect(invocation({ ...started, file: join(cwd, 'src/cli/main.ts'), env: {} })).toEqual([
      execPath,
      'src/cli/main.ts',
    ]);
    expect(invocation({ ...started, file: '/usr/local/bin/loopfold' })).toEqual(['loopfold']);
    expect(invocation({ ...started, file: join(cwd, 'bin/loopfold.mjs') })).toEqual(['node', 'bin/loopfold.mjs']);
    expect(invocation({ ...started, file: join(cwd, 'node_modules/.bin/loopfold') })).toEqual(['npx', 'loopfold']);
    expect(invocation({ ...started, file: '/cache/bin/loopfold', env: { npm_command: 'exec' } })).toEqual([
      'npx',
      'loopfold',
    ]);
    const byNpm = { PATH: join(cwd, 'node_modules/.bin'), npm_lifecycle_event: 'start', INIT_CWD: join(cwd, 'sub') };
    expect(invocation({ ...started, file: join(cwd, 'src/cli/main.ts'), env: byNpm })).toEqual([
      execPath,
      '../src/cli/main.ts',
    ]);
  });

  const next = (
    outcome: Outcome,
    attempts: number | readonly Outcome[] = 0,
    {
      strategy = 'fixed',
      maxIterations = 3,
      maxTimeMs = null as number | null,
      paused = false,
      settings = {} as Pick<RunSummary['settings'], 'thread'>,
    } = {},
  ) => {
    const limits = { maxSteps: null, maxToolCalls: null, maxTokens: null, maxIterations, maxTimeMs };
    const ending = { version: 1, at: '', outcome, reason: '', evidence: [] };
    const ended = typeof attempts === 'number' ? Array.from({ length: attempts }, () => null) : attempts;
    const iterations = ended.map((attempt) => ({ attempt }) as RunSummary['iterations'][number]);
    const summary = { limits, ending, iterations, strategy, paused, settings, spend: NO_SPEND };
    return nextCommands('0123456789', summary, iterationLoop);
  };

  test('a limit that was met is raised, but never above its ceiling', () => {
    const first = (used: number) =>
      next({ ending: 'cap_hit', limit: { name: 'iterations', used, limit: used } }, 0, { maxIterations: used })[0];
    expect(first(3)).toEqual(['extend', '23456789', '--max-iterations', '6']);
    expect(first(70)).toEqual(['extend', '23456789', '--max-iterations', '100']);
    expect(first(100)).toEqual(['show', '23456789']);
  });

  test('B8 a refused key and an unknown model propose what cures them, and not to resume', () => {
    for (const code of ['authentication', 'model_unknown']) {
      const outcome = { ending: 'abort', cause: 'error', fault: { code, message: 'no' } } as const;
      expect(next(outcome, 0)).toEqual([
        ['config', '--models'],
        ['show', '23456789'],
      ]);
    }
    const fault = { code: 'provider_unavailable', message: 'no' };
    expect(next({ ending: 'abort', cause: 'error', fault }, 0)[0]).toEqual(['resume', '23456789']);
  });

  test('L7 L3 a strategy that counts for itself would stop there once more: another one goes on', () => {
    const first = (used: number, strategy: string) =>
      next({ ending: 'cap_hit', limit: { name: 'iterations', used, limit: used } }, 0, { strategy })[0];
    expect(first(3, 'hybrid')).toEqual(['extend', '23456789', '--strategy', 'fixed', '--max-iterations', '6']);
    expect(first(1, 'custom')).toEqual(['extend', '23456789', '--strategy', 'fixed', '--max-iterations', '2']);
    expect(first(3, 'custom')).toEqual(['extend', '23456789', '--max-iterations', '6']);
  });

  test('L17 time that was met is raised, together with the attempts where the deadline cut short the last one', () => {
    const commands = (attempts: number, maxTimeMs: number | null) =>
      next({ ending: 'cap_hit', limit: { name: 'time_ms', used: 2_100, limit: 2_000 } }, attempts, { maxTimeMs })[0];
    expect(commands(1, 2_000)).toEqual(['extend', '23456789', '--max-time', '1m']);
    expect(commands(3, 2_000)).toEqual(['extend', '23456789', '--max-time', '1m', '--max-iterations', '6']);
    expect(commands(1, null)).toEqual(['extend', '23456789', '--strategy', 'fixed', '--max-time', '1m']);
  });

  test('G7 where a thread has nothing left, a message raises its cap: the cap of the run would not help', () => {
    const own = { continues: null, tokens: 9, nanoUsd: 5e6, ownMaxCostNanoUsd: 1e9 };
    const limit = { name: 'cost_nano_usd', used: 0, limit: 1e6, next: 2e6 } as const;
    const first = (maxCostNanoUsd: number | null) =>
      next({ ending: 'budget', limit }, 0, { settings: { thread: { ...own, maxCostNanoUsd } } })[0];
    expect(first(6e6)).toEqual(['run', '--continue', '23456789', '--thread-max-cost', '0.009', 'TEXT']);
    expect(first(6.5e6)).toContain('--thread-max-cost');
    expect(first(8e6)).toEqual(['extend', '23456789', '--max-cost', '0.003']);
    expect(first(9e6)).toEqual(['extend', '23456789', '--max-cost', '0.004']);
    expect(first(null)).toEqual(['extend', '23456789', '--max-cost', '0.004']);
  });

  test('L1 a run that was paused while its strategy was told of the end is to be resumed', () => {
    const success = { ending: 'success', verified: null, partial: false } as const;
    expect(next(success)[0]).toEqual(['show', '23456789']);
    expect(next(success, 1, { paused: true })[0]).toEqual(['resume', '23456789']);
  });

  test('an error is tried again, under a larger limit where the last of it went with the error', () => {
    const error = { ending: 'abort', cause: 'error', fault: null } as const;
    expect(next(error, 2)[0]).toEqual(['resume', '23456789']);
    expect(next(error, 3)[0]).toEqual(['extend', '23456789', '--max-iterations', '6']);
    expect(next({ ...error, cause: 'user' }, 2)[0]).toEqual(['extend', '23456789']);
  });

  test.each([
    ['refused', ['run', '--continue', '23456789', 'TEXT']],
    ['filtered', ['run', '--continue', '23456789', 'TEXT']],
    ['context-full', ['run', '--continue', '23456789', '--model', 'MODEL', 'TEXT']],
    ['answer-cut', ['run', '--continue', '23456789', '--max-answer-tokens', 'TOKENS', 'TEXT']],
  ])('G4 after %s nothing is offered that would end the same way', (code, first) => {
    const outcome: Outcome = { ending: 'abort', cause: 'error', fault: { code, message: '' } };
    const commands = next(outcome);
    expect(commands[0]).toEqual(first);
    expect(commands.map(([verb]) => verb)).not.toContain('resume');
    const limit = { name: 'iterations', used: 1, limit: 1 } as const;
    expect(next({ ending: 'cap_hit', limit }, [outcome])).toEqual(commands);
    expect(next({ ending: 'cap_hit', limit }, 1)[0]).toContain('extend');
  });

  test('X4 a run whose dependencies were changed is looked at: it would end the same way again', () => {
    const fault = { code: 'dependencies_changed', message: '' };
    expect(next({ ending: 'abort', cause: 'error', fault }, 2)).toEqual([
      ['show', '23456789'],
      ['diff', '23456789'],
    ]);
  });
});

test('columns are as wide as their widest cell', () => {
  expect(
    columns([
      ['a', 'bb', 'c'],
      ['aaa', 'b', ''],
    ]),
  ).toEqual(['a    bb  c', 'aaa  b']);
  expect(columns([])).toEqual([]);
});

describe('the rounds on a page', () => {
  const limits = { maxSteps: 9, maxToolCalls: null, maxTokens: null, maxIterations: 3, maxTimeMs: null };
  const row = {
    iteration: 0,
    startedAt: '',
    durationMs: null,
    child: null,
    attempt: null,
    interrupted: 'lost',
    answer: '',
    spend: NO_SPEND,
    changed: [],
  };
  const iterations = [
    {
      ...row,
      workspace: null,
      ref: null,
      passed: null,
      levels: [],
      ci: null,
      decision: null,
      remarks: ['call it\nby its name'],
    },
  ];
  const reviewed: LoopDefinition = {
    ...iterationLoop,
    describe: { round: 'draft', child: 'writer', line: () => null },
  };

  test('have the words of their loop, the cap that bounds them, and what its own events say of them', () => {
    expect(roundLines({ iterations, limits }, reviewed)).toEqual([
      '  draft  writer       took  checks  files changed',
      '  1/3    interrupted  -     -       -',
      '  draft 1  call it by its name',
    ]);
    const inSteps: LoopDefinition = { ...reviewed, rounds: { ...reviewed.rounds, limit: 'steps' } };
    expect(roundLines({ iterations, limits }, inSteps)[1]).toMatch(/^ {2}1\/9 /);
  });

  test('have plain words where their loop is not known here', () =>
    expect(roundLines({ iterations, limits }, null)[0]).toBe('  round  run          took  checks  files changed'));
});
