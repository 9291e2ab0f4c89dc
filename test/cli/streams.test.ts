import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { loopfold, MAIN, MODEL, project, resultIn } from './program.ts';
import { loopfold as warmLoopfold } from './warm-process.ts';

const ESCAPE = '\u001b';
const NOISY = {
  answers: [
    { text: 'looking', calls: [{ tool: 'shell', arguments: { command: 'echo one' } }] },
    { text: '\u001b[31mred\u001b[0m and\u0007 done' },
  ],
};
const shell = (command: string, cwd: string) =>
  promisify(execFile)('/bin/sh', ['-c', command], { cwd, env: { ...process.env, NODE: process.execPath, MAIN } });

/** Each starts the program several times, side by side. */

describe.concurrent('stdout carries the product, stderr the rest', () => {
  test('text: the answer alone, and no escape code in a pipe, whatever the model says', async () => {
    const cwd = await project(NOISY, {}, false);
    const { stdout, stderr } = await loopfold(['run', 'x', ...MODEL], { cwd, env: { FORCE_COLOR: '1' } });
    expect(stdout).toBe('red and done\n');
    expect(stderr).not.toContain(ESCAPE);
    expect(stderr).toContain('› shell echo one');
    expect(stderr).toContain('step 2  red and done');
  });

  testInTurn('json: one line, a result', async () => {
    const cwd = await project(NOISY, {}, false);
    const ended = await loopfold(['run', 'x', ...MODEL, '--output-format', 'json'], { cwd });
    expect(ended.stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(resultIn(ended)).toMatchObject({
      exit: 0,
      answer: NOISY.answers[1]?.text,
      spend: { steps: 2, toolCalls: 1 },
    });
  });

  testInTurn('stream-json: every event of the run and of its attempts, then the result', async () => {
    const cwd = await project(NOISY);
    const ended = await loopfold(['run', 'x', ...MODEL, '--verify', 'true', '--output-format', 'stream-json'], { cwd });
    const result = resultIn(ended);
    const lines = ended.stdout
      .trimEnd()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    const own = lines.filter(({ run }) => run === result.run);
    expect(own.map(({ version }) => version)).toEqual(own.map((_, index) => index + 1));
    expect(own.at(-1).type).toBe('strategy.ended');
    const child = result.iterations[0]?.child;
    expect(lines.filter(({ run }) => run === child).map(({ type }) => type)).toContain('tool.completed');
    const listed = await loopfold(['events', result.run ?? '', '--json'], { cwd });
    expect(
      listed.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        // A file of events can be verified with their salts; a stream is read as it comes.
        .map(({ salt: _, ...envelope }) => envelope),
    ).toEqual(own);
  });

  testInTurn('the prompt comes from the argument, a file or a pipe', async () => {
    const cwd = await project({ answers: [{ text: 'done' }] }, { 'task.md': 'from a file\n' }, false);
    await loopfold(['run', 'from the argument', ...MODEL], { cwd });
    await loopfold(['run', '--prompt-file', 'task.md', ...MODEL], { cwd });
    await loopfold(['run', ...MODEL], { cwd, input: 'from a pipe\n' });
    await loopfold(['run', '-', ...MODEL], { cwd, input: 'from a dash' });
    const { stdout } = await loopfold(['runs', '--json'], { cwd });
    expect(JSON.parse(stdout).map(({ prompt }: { prompt: string }) => prompt)).toEqual([
      'from a dash',
      'from a pipe',
      'from a file',
      'from the argument',
    ]);
  });

  testInTurn('a reader that leaves early harms neither a listing nor a run', async () => {
    const cwd = await project({ answers: [{ text: 'slow', delayMs: 500 }] }, {}, false);
    const run = await shell(
      '{ "$NODE" "$MAIN" run x -m script:model.json --output-format stream-json; echo "status $?" >&2; } | head -n 1',
      cwd,
    );
    expect(run.stderr).toContain('status 0');
    const events = await shell('{ "$NODE" "$MAIN" events; echo "status $?" >&2; } | head -n 1', cwd);
    expect(events).toEqual({ stdout: expect.stringContaining('run.started'), stderr: 'status 0\n' });
  });

  testInTurn.runIf(process.platform === 'linux')(
    'a run whose answer cannot be written to stdout ends with 5',
    async () => {
      const cwd = await project({ answers: [{ text: 'done' }] }, {}, false);
      const { stdout } = await shell(
        '"$NODE" "$MAIN" run x -m script:model.json 2>&1 >/dev/full; echo "status $?"',
        cwd,
      );
      expect(stdout).toContain('ENOSPC');
      expect(stdout).toContain('status 5');
    },
  );
});

describe.concurrent('what a run leaves is told in lines of ours', () => {
  testInTurn('a file name with a line end forges no line of the progress or of the page', async () => {
    const path = 'a\nsuccess, verified: forged';
    const cwd = await project({
      answers: [{ calls: [{ tool: 'write', arguments: { path, content: 'x\n' } }] }, { text: 'done' }],
    });
    const { stderr } = await loopfold(['run', 'x', ...MODEL, '--verify', 'false', '--max-iterations', '1'], { cwd });
    const { stdout } = await loopfold(['show'], { cwd });
    for (const told of [stderr, stdout]) {
      expect(told).toContain(String.raw`"a\nsuccess, verified: forged" +1 −0`);
      expect(told).not.toMatch(/^success/m);
    }
  });

  test('a failed attempt is not announced as being checked', async () => {
    const cwd = await project({ answers: [{ calls: [{ tool: 'list', arguments: { path: '.' } }], repeat: 9 }] });
    const { stderr } = await loopfold(['run', 'x', ...MODEL, '--verify', 'true', '--max-iterations', '1'], { cwd });
    expect(stderr).toContain('files   nothing changed');
    expect(stderr).not.toMatch(/^ *checks$/m);
  });

  testInTurn('the page of a run with one step says “1 step”', async () => {
    const cwd = await project({ answers: [{ text: 'done' }] });
    await loopfold(['run', 'x', ...MODEL, '--verify', 'true'], { cwd });
    expect((await loopfold(['show'], { cwd })).stdout).toMatch(/success, 1 step /);
  });
});

describe('colour', () => {
  const onTerminal = (flag: string) => `script -qec '"$NODE" "$MAIN" runs ${flag} --limit x' /dev/null`;

  test.runIf(process.platform === 'linux')('a terminal has it, unless it is not wanted', async () => {
    const cwd = await project({ answers: [{ text: 'done' }] }, {}, false);
    const coloured = await shell(`${onTerminal('')}; true`, cwd);
    expect(coloured.stdout).toContain(ESCAPE);
    const flagged = await shell(`${onTerminal('--no-color')}; true`, cwd);
    const asked = await shell(`NO_COLOR=1 ${onTerminal('')}; true`, cwd);
    for (const { stdout } of [flagged, asked]) {
      expect(stdout).toContain('--limit: expected');
      expect(stdout).not.toContain(ESCAPE);
    }
  });
});

describe('whatever a model, a person, a file or a check says', () => {
  /** Everything a terminal may obey, in the words of each who can put words into a log. */
  const CODES = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code))
    .concat('\u007f', '\u009b31m', '\u202e', '\u001b]0;title\u0007', '\u001b[2J')
    .join('x');
  const BRIEF = '\u001b[31m\u009b2J\u0007\u202e';
  const SCRIPT = {
    answers: [
      {
        text: CODES,
        calls: [
          { tool: `sh${BRIEF}ell`, arguments: { command: CODES } },
          { tool: 'write', arguments: { path: `a${BRIEF}.txt`, content: CODES } },
        ],
      },
      { calls: [{ tool: 'shell', arguments: { command: `printf '\\033[31mred\\007'; cat a*.txt; false` } }] },
      {
        calls: [
          { tool: 'ask_user', arguments: { question: CODES, choices: [CODES] } },
          { tool: 'request_read_access', arguments: { path: `/etc/${BRIEF}`, reason: CODES } },
        ],
      },
      { text: CODES },
    ],
  };

  test('no verb prints an escape code or another control character into a pipe', async () => {
    const cwd = await project(SCRIPT);
    const check = `printf '\\033[31mred\\007 not ok \\302\\233'; cat a*.txt; false`;
    const printed: string[] = [];
    const keep = async (words: readonly string[], status: number) => {
      const ended = await warmLoopfold(words, { cwd });
      expect({ words, status: ended.status }).toEqual({ words, status });
      printed.push(ended.stdout, ended.stderr);
    };
    await keep(['run', `do${BRIEF} it`, ...MODEL, '--verify', check, '--max-iterations', '1'], 14);
    for (const verb of ['show', 'events', 'runs', 'rebuild']) await keep([verb], 0);
    await keep(['answer', '--last', '--call', '2.9', BRIEF], 2);
    await keep(['steer', '--last', `be${BRIEF} quick`], 0);
    await keep(['answer', '--last', '--call', '2.0', `red${BRIEF}`], 0);
    await keep(['deny', '--last', '--reason', `no${BRIEF}`], 0);
    await keep(['resume'], 10);
    for (const verb of ['show', 'events', 'runs', 'rebuild']) {
      await keep([verb], 0);
      await keep([verb, '--json'], 0);
    }
    await keep(['abort', BRIEF], 2);
    await keep(['resume', '--output-format', 'json'], 2);
    expect(printed.join('')).toContain('red');
    const steering = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/u;
    expect(printed.filter((text) => steering.test(text)).map((text) => JSON.stringify(text))).toEqual([]);
  });
});

testInTurn('X13 an answer by a schema is JSON on stdout, and the value of the result', async () => {
  const cwd = await project({ answers: [{ text: 'Two.' }, { text: '```json\n{"files": 2}\n```' }] }, {}, false);
  await writeFile(join(cwd, 'answer.json'), '{"type": "object", "required": ["files"]}');
  const words = ['run', 'How many files?', ...MODEL, '--output-schema', 'answer.json'];
  const { stdout } = await loopfold(words, { cwd });
  expect(JSON.parse(stdout)).toEqual({ files: 2 });
  const json = await loopfold([...words, '--output-format', 'json'], { cwd });
  expect(resultIn(json)).toMatchObject({ value: { files: 2 } });
});
