import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { absent } from '../support/absent.ts';
import { testInTurn } from '../support/in-turn.ts';
import { type Ended, loopfold as inOwnProcess, MODEL, Program, project, resultIn, Terminal } from './program.ts';
import { loopfold } from './warm-process.ts';

const asks = (question: string, choices: string[] = []) => ({ tool: 'ask_user', arguments: { question, choices } });
const wants = (path: string) => ({ tool: 'request_read_access', arguments: { path, reason: 'the task names it' } });
const COLOUR = { answers: [{ text: 'hm', calls: [asks('Which colour?', ['red', 'blue'])] }, { text: 'painted' }] };
const BOTH = {
  answers: [{ calls: [asks('Which colour?', ['red', 'blue']), wants('/etc/hosts')] }, { text: 'painted' }],
};
/** Each starts the program several times. */
const JSON_FORMAT = ['--output-format', 'json'];
const run = (cwd: string, ...more: string[]) => loopfold(['run', 'x', ...MODEL, ...more], { cwd });

/** What a model was told in answer to its calls. */
async function heardBy(cwd: string): Promise<readonly string[]> {
  const { stdout: listed } = await loopfold(['runs', '--json'], { cwd });
  const { stdout } = await loopfold(['events', JSON.parse(listed)[0].run, '--json'], { cwd });
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return events.flatMap(({ type, payload }) => (type === 'person.answered' ? [payload.answer] : []));
}

describe.concurrent('T9 without a terminal, a run that waits for people says so and leaves', () => {
  test('T9 a run that asks ends with 14, and prints question, choices and the command to answer', async () => {
    const cwd = await project(COLOUR, {}, false);
    const { status, stdout, stderr } = await run(cwd);
    expect({ status, stdout }).toEqual({ status: 14, stdout: '' });
    expect(stderr).toMatch(/^\? Which colour\?\n {2}1 {2}red\n {2}2 {2}blue$/m);
    expect(stderr).toMatch(/^next .* answer \w{8} TEXT$/m);
    expect((await loopfold(['runs'], { cwd })).stdout).toMatch(/ waiting /);
  });

  testInTurn('a program gets the questions in its result; a run that still waits ends with 14 again', async () => {
    const cwd = await project(BOTH);
    const ended = await run(cwd, '--verify', 'true', '--check-in', 'workspace', '--output-format', 'stream-json');
    expect(ended.status).toBe(14);
    const result = resultIn(ended);
    expect(result).toMatchObject({ exit: 14, state: 'waiting', outcome: null, spend: { steps: 1, toolCalls: 2 } });
    expect(result.questions).toMatchObject([
      { callId: '0.0', kind: 'question', text: 'Which colour?', choices: ['red', 'blue'] },
      { callId: '0.1', kind: 'access', path: '/etc/hosts' },
    ]);
    const again = await loopfold(['resume', ...JSON_FORMAT], { cwd });
    expect(again.status).toBe(14);
    expect(resultIn(again).questions).toHaveLength(2);
  });

  testInTurn('T9 an answer from another terminal reaches the model when the run is resumed', async () => {
    const cwd = await project(COLOUR, {}, false);
    const { run: id = '' } = resultIn(await run(cwd, ...JSON_FORMAT));
    const answered = await inOwnProcess(['answer', id?.slice(-6) ?? '', '-'], { cwd, input: 'green\n' });
    expect(answered).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringMatching(/has the answer\nnext .* resume \w{8}\n$/),
    });
    expect((await loopfold(['runs'], { cwd })).stdout).toMatch(/ paused /);
    expect(await loopfold(['resume'], { cwd })).toMatchObject({
      status: 0,
      stdout: 'painted\n',
      stderr: expect.stringContaining('\nstep 2  painted\n'),
    });
    expect(await heardBy(cwd)).toEqual(['green']);
    expect((await loopfold(['show'], { cwd })).stdout).toContain('? Which colour? (answered: green)');
  });

  testInTurn(
    'the number of a choice answers with that choice, any other number and --literal with the text',
    async () => {
      const calls = ['Which colour?', 'How many?', 'How often?'].map((question) => asks(question, ['red', 'blue']));
      const cwd = await project({ answers: [{ calls }, { text: 'painted' }] }, {}, false);
      await run(cwd);
      const answered = async (call: string, ...said: string[]) =>
        (await loopfold(['answer', '--last', '--call', call, ...said], { cwd })).stderr;
      expect(await answered('0.0', '2')).toContain(' has the answer: blue\n');
      expect(await answered('0.1', '3')).toContain(' has the answer\n');
      expect(await answered('0.2', '2', '--literal')).toContain(' has the answer\n');
      expect((await loopfold(['resume'], { cwd })).status).toBe(0);
      expect(await heardBy(cwd)).toEqual(['blue', '3', '2']);
    },
  );

  testInTurn('permission to read is granted and denied by its own verbs', async () => {
    const both = { answers: [{ calls: [wants('/etc/hosts'), wants('/etc')] }, { text: 'painted' }] };
    const cwd = await project(both, {}, false);
    await run(cwd);
    const approved = await inOwnProcess(['approve', '--last', '0.1'], { cwd });
    expect(approved).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(
        /has the permission: reading \/etc and everything below it\n\? permission for reading \/etc\/hosts/,
      ),
    });
    const denied = await inOwnProcess(['deny', '--last', '--reason', 'not yours'], { cwd });
    expect(denied).toMatchObject({ status: 0, stderr: expect.stringContaining('was denied the permission') });
    expect((await loopfold(['resume'], { cwd })).status).toBe(0);
    expect(await heardBy(cwd)).toEqual([
      expect.stringContaining('granted: reading /etc'),
      expect.stringContaining('not yours'),
    ]);
  });

  testInTurn('2: an answer without a question, to the wrong call, or of the wrong kind, and what is open', async () => {
    const place = absent('to', 'be', 'found');
    const nowhere = wants(place);
    const cwd = await project(
      { answers: [{ calls: [asks('Which colour?', ['red', 'blue']), wants('/etc/hosts'), nowhere] }] },
      {},
      false,
    );
    await run(cwd);
    const refusals: (readonly [string[], string[], string?])[] = [
      [
        ['answer', '--last', '--call', '0.7', 'red'],
        [
          'no call 0.7',
          'call 0.0  ? Which colour?',
          'call 0.1  ? permission for reading /etc/hosts',
          'answer .* --call 0.0 TEXT',
        ],
      ],
      [['answer', '--last', '--call', '0.1', 'red'], ['asks for permission for reading /etc/hosts']],
      [['approve', '--last', '0.0'], ['asks a question']],
      [['answer', '--last'], ['TEXT: expected words']],
      [
        ['answer', '--last', '--call', '0.0', '-'],
        ['TEXT: expected at most 1000000 bytes', 'Try: .* answer --help'],
        'x'.repeat(1_000_001),
      ],
      [
        ['approve', '--last', '0.2'],
        [`${place} cannot be opened here`, 'Try: .* deny \\w{8} 0.2\n'],
      ],
    ];
    for (const [words, says, input] of refusals) {
      const { status, stderr } = await (input ? inOwnProcess(words, { cwd, input }) : loopfold(words, { cwd }));
      expect({ words, status }).toEqual({ words, status: 2 });
      for (const part of says) expect(stderr).toMatch(new RegExp(part.replaceAll('?', '\\?')));
    }
    await loopfold(['abort', '--last'], { cwd });
    expect(await loopfold(['answer', '--last', 'red'], { cwd })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('not waiting for a person'),
    });
  });
});

describe.concurrent('a second terminal', () => {
  const SLOW = { answers: [{ calls: [{ tool: 'shell', arguments: { command: 'sleep 60' } }] }, { text: 'done' }] };

  testInTurn('pauses a run that another process serves: it ends with 15, and can be resumed', async () => {
    const cwd = await project(SLOW, {}, false);
    const server = new Program(['run', 'x', ...MODEL, ...JSON_FORMAT], { cwd });
    await server.shows('› shell');
    const paused = await inOwnProcess(['pause', '--last'], { cwd });
    expect(paused).toMatchObject({ status: 0, stderr: expect.stringMatching(/is paused\n.*next .* resume \w{8}\n$/s) });
    const ended = await server.ended;
    expect(ended.status).toBe(15);
    expect(resultIn(ended)).toMatchObject({ exit: 15, state: 'paused' });
    expect((await loopfold(['pause', '--last'], { cwd })).status).toBe(2);
    expect((await loopfold(['resume'], { cwd })).status).toBe(0);
  });

  test('steers an unowned run: its model is told before it answers again', async () => {
    const cwd = await project(COLOUR, {}, false);
    await run(cwd);
    expect(await inOwnProcess(['steer', '--last', 'use less paint'], { cwd })).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('before the next answer'),
    });
    await loopfold(['answer', '--last', 'red'], { cwd });
    expect((await loopfold(['resume'], { cwd })).status).toBe(0);
    const { stdout } = await loopfold(['show'], { cwd });
    expect(stdout).toContain('added: use less paint');
  });
});

describe.runIf(process.platform === 'linux').concurrent('T9 who sits at a terminal is asked there', () => {
  const shown = ({ stdout }: Ended) => stripVTControlCharacters(stdout);

  testInTurn('T9 a number answers a choice, y allows reading, and the run continues', async () => {
    const cwd = await project(BOTH);
    const terminal = new Terminal(['run', 'x', ...MODEL, '--verify', 'true', '--check-in', 'workspace'], { cwd });
    await terminal.shows('2  blue');
    await terminal.shows('> ');
    terminal.type('\n');
    await terminal.shows('> ');
    terminal.type('2\n');
    await terminal.shows('y/N > ');
    terminal.type('y\n');
    const ended = await terminal.ended;
    expect(ended.status).toBe(16);
    expect(shown(ended)).toContain('a person answers: blue');
    expect(shown(ended)).toContain('a person allows reading /etc/hosts');
    expect(shown(ended)).toContain('success, weak');
  });

  test('T9 an empty line at the terminal does not allow reading', async () => {
    const cwd = await project({ answers: [{ calls: [wants('/etc/hosts')] }, { text: 'painted' }] }, {}, false);
    const terminal = new Terminal(['run', 'x', ...MODEL], { cwd });
    await terminal.shows('y/N > ');
    terminal.type('\n');
    expect(shown(await terminal.ended)).toContain('a person does not allow reading /etc/hosts');
  });

  testInTurn(
    'what was typed before the question answers nothing: neither a line nor the beginning of one',
    async () => {
      const cwd = await project(BOTH);
      const terminal = new Terminal(['run', 'x', ...MODEL], { cwd });
      await terminal.shows('> ');
      terminal.type('2\ny\ny');
      await terminal.shows('y/N > ');
      terminal.type('\n');
      const ended = await terminal.ended;
      expect(shown(ended)).toContain('a person answers: blue');
      expect(shown(ended)).toContain('a person does not allow reading /etc/hosts');
    },
  );

  testInTurn('an answer given elsewhere ends the prompt', async () => {
    const cwd = await project(COLOUR, {}, false);
    const terminal = new Terminal(['run', 'x', ...MODEL], { cwd });
    await terminal.shows('> ');
    const answered = await loopfold(['answer', '--last', 'green'], { cwd });
    expect(answered).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/has the answer\n.*(continues it|has ended since)/),
    });
    const ended = await terminal.ended;
    expect(ended.status).toBe(0);
    expect(shown(ended)).toMatch(/^> \r\n.*a person answers: green\r$/m);
  });

  testInTurn('an answer given elsewhere is followed by the next question', async () => {
    const cwd = await project(BOTH, {}, false);
    const terminal = new Terminal(['run', 'x', ...MODEL], { cwd });
    await terminal.shows('> ');
    expect((await loopfold(['answer', '--last', '--call', '0.0', 'green'], { cwd })).status).toBe(0);
    await terminal.shows('y/N > ');
    terminal.type('y\n');
    const ended = await terminal.ended;
    expect(shown(ended)).toContain('a person answers: green');
    expect(shown(ended)).toContain('a person allows reading /etc/hosts');
  });

  testInTurn('Ctrl-C at the prompt pauses, the end of input leaves the question open', async () => {
    const cwd = await project(BOTH, {}, false);
    const interrupted = new Terminal(['run', 'x', ...MODEL], { cwd });
    await interrupted.shows('> ');
    interrupted.type('\u0003');
    const paused = await interrupted.ended;
    expect(paused.status).toBe(130);
    expect(shown(paused)).not.toContain('y/N');
    const resumed = new Terminal(['resume'], { cwd });
    await resumed.shows('> ');
    resumed.type('\u0004');
    const left = await resumed.ended;
    expect(left.status).toBe(14);
    expect(shown(left)).toMatch(/next .* answer \w{8} --call 0.0 TEXT/);
  });

  testInTurn('a program that asks for JSON is never asked back', async () => {
    const cwd = await project(COLOUR, {}, false);
    const ended = await new Terminal(['run', 'x', ...MODEL, ...JSON_FORMAT], { cwd }).ended;
    expect(ended.status).toBe(14);
    expect(shown(ended)).not.toContain('> ');
  });
});
