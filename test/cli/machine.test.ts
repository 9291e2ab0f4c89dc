import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { standardStreams } from '../../src/cli/terminal/output.ts';
import { Session } from '../../src/cli/session.ts';
import { machine as drawMachine, type MachineFlags } from '../../src/cli/verbs/machine.ts';
import { createMachine } from 'xstate';
import { machineBound } from '../../src/cli/verbs/machine-bound.ts';
import { machineCompiled } from '../../src/cli/verbs/machine-compiled.ts';
import { testInTurn } from '../support/in-turn.ts';
import { MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const write = (content: string) => ({ calls: [{ tool: 'write', arguments: { path: 'n.txt', content } }] });
let cwd = '';
let run = '';

beforeAll(async () => {
  cwd = await project({ attempts: ['1', '2'].map((n) => ({ answers: [write(n), { text: `wrote ${n}` }] })) });
  const ended = await loopfold(
    [
      'run',
      'write two',
      ...MODEL,
      '--verify',
      'L1:grep 2 n.txt',
      '--check-in',
      'workspace',
      '--max-iterations',
      '1',
      '--output-format',
      'json',
    ],
    { cwd },
  );
  run = resultIn(ended).run ?? '';
});

const machine = (...words: string[]) => loopfold(['machine', ...words], { cwd });
/** For calls that never come to a log. */
const session = () => new Session(standardStreams(true), 'machine', { color: false });
const json = async (...words: string[]) => JSON.parse((await machine(...words, '--json')).stdout);

describe('charts of machines', () => {
  test('without a name, the machines are listed', async () => {
    const { status, stdout } = await machine();
    expect(status).toBe(0);
    expect(stdout).toMatch(/^turn@1 +\d+ states +\d+ transitions +A model and its tools/m);
    expect(stdout).toMatch(/^iteration@1 +\d+ states/m);
    expect(await json()).toMatchObject([
      { id: 'turn@1', states: expect.any(Number) },
      { id: 'iteration@1' },
      { id: 'ralph@1' },
      { id: 'improvement@1' },
      { id: 'contest@1' },
    ]);
  });

  test('Mermaid by default, of the newest machine of a loop or of a version', async () => {
    const { stdout } = await machine('turn');
    expect(stdout).toMatch(/^stateDiagram-v2\n/);
    expect(stdout).toContain('  stream_asking --> tools : model.completed [asksForTools]\n');
    expect((await machine('turn@1', '--format', 'mermaid')).stdout).toBe(stdout);
    expect((await machine('turn', '--depth', '1')).stdout).not.toContain('asking');
  });

  testInTurn('data, source text, and a drawing', async () => {
    const chart = await json('iteration');
    expect(chart).toMatchObject({ id: 'iteration', version: '1' });
    expect(chart).not.toHaveProperty('marks');
    expect(chart.transitions.map(({ id }: { id: string }) => id)).toContain('decide.judging decision.made 0');
    expect((await machine('iteration', '--format', 'stately')).stdout).toMatch(
      /^import \{ fromCallback, setup \} from 'xstate';\n[^]*\n\}\);\n$/,
    );
    expect((await machine('iteration', '--format', 'svg')).stdout).toMatch(/^<svg [^]*<\/svg>\n$/);
  });

  test('2: an unknown name lists the known', async () => {
    const { status, stdout, stderr } = await machine('trun');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(
      "NAME: expected one of turn, iteration, ralph, improvement, contest, turn@1, iteration@1, ralph@1, improvement@1, contest@1, the path of a module with a loop, or --run RUN, found 'trun'. Did you mean turn?",
    );
    expect(stderr).toContain('main.js machine');
  });

  test.each<[string | undefined, MachineFlags, string]>([
    [
      'turn@9',
      {},
      "NAME: expected one of turn, iteration, ralph, improvement, contest, turn@1, iteration@1, ralph@1, improvement@1, contest@1, the path of a module with a loop, or --run RUN, found 'turn@9'",
    ],
    ['toString', {}, 'NAME: expected one of turn, iteration'],
    ['turn', { format: 'png' }, "--format: expected one of json, mermaid, svg, stately, found 'png'"],
    ['turn', { format: 'svg', json: true }, '--format: expected either --format or --json'],
    ['turn', { depth: '0' }, '--depth: expected a whole number'],
    ['turn', { depth: '1', json: true }, '--depth: expected mermaid or svg'],
    ['turn', { detail: 'everything', format: 'svg' }, '--detail: expected one of arrows, events, actions'],
    ['turn', { detail: 'arrows' }, '--detail: expected --format svg to go with it'],
    ['turn', { at: '3' }, '--at: expected a version of a run'],
    ['turn', { last: true }, 'NAME: expected either a machine or a run'],
    ['turn', { run: 'abcd' }, 'NAME: expected either a machine or a run'],
    [undefined, { format: 'svg' }, 'NAME: expected a machine, or a run, to go with --format'],
    [undefined, { at: '3' }, 'NAME: expected a machine, or a run, to go with --at'],
    [undefined, { last: true, format: 'stately' }, 'source text has no place for what a run has done'],
  ])('2: %j %j is refused, and says why', async (name, flags, why) => {
    await expect(drawMachine(session(), name, flags)).rejects.toMatchObject({
      status: 2,
      message: expect.stringContaining(why),
    });
  });
});

describe('what a run has done', () => {
  test('machine --run counts how often a run was in each state, and names its ending', async () => {
    const { id, marks, ...shown } = await json('--run', run.slice(-6));
    expect(shown).toMatchObject({ run, at: expect.any(Number) });
    expect({ id, active: marks.active }).toEqual({ id: 'iteration', active: ['cap_hit'] });
    expect(marks.visits).toMatchObject({ stream: 1, tools: 1, verify: 1, 'decide.judging': 2, cap_hit: 1 });
    expect(marks.visits).not.toHaveProperty('success');
    expect(marks.taken).toMatchObject({ 'decide.judging decision.made 1': 1, 'decide.judging decision.made 2': 1 });
  });

  test('machine --run --at leaves out what happened after that version', async () => {
    const early = await json('--run', run, '--at', '1');
    expect(early).toMatchObject({ at: 1, marks: { active: ['decide', 'decide.judging'], taken: {} } });
    const { stdout } = await machine('--run', run, '--at', '3');
    expect(stdout).toMatch(new RegExp(`^---\ntitle: run ${run} at version 3\n---\nstateDiagram-v2\n`));
    expect(stdout).toContain('  state "stream ×1" as stream\n');
    expect(stdout).toContain('  decide_judging --> stream : decision.made [goesOn] ×1\n');
    expect(stdout).toMatch(/ {2}class stream active\n$/);
    expect((await machine('--run', run, '--format', 'svg')).stdout).toMatch(/^<svg /);
    const beyond = await machine('--run', run, '--at', '999');
    expect(beyond).toMatchObject({ status: 2, stderr: expect.stringContaining('--at: expected a version from 1 to ') });
  });

  test('an attempt is drawn on its own machine', async () => {
    const { iterations } = JSON.parse((await loopfold(['show', '--json'], { cwd })).stdout);
    expect(await json('--run', iterations[0].child)).toMatchObject({
      id: 'turn',
      marks: { active: ['success'], visits: { 'stream.asking': 2, tools: 1 } },
    });
  });

  testInTurn('machine --run of a continuation counts the states of the run before, too', async () => {
    const ended = await loopfold(['extend', run, '--max-iterations', '2', '--output-format', 'json'], { cwd });
    const { marks } = await json('--run', resultIn(ended).run ?? '');
    expect(marks).toMatchObject({
      active: ['success'],
      visits: { stream: 2, 'decide.judging': 4 },
      taken: { 'decide.judging run.continued 0': 1 },
    });
    expect((await json('--run', run)).marks.active).toEqual(['cap_hit']);
  });

  test('7: a damaged log is named, with run and version', async () => {
    const place = await project({ answers: [{ text: 'done' }] }, {}, false);
    const damaged = resultIn(await loopfold(['run', 'x', ...MODEL, '--output-format', 'json'], { cwd: place })).run;
    const log = join(place, '.loopfold/log.db');
    const db = new DatabaseSync(log);
    db.exec("UPDATE events SET payload = replace(payload, 'continue', 'CONTINUE') WHERE version = 2");
    db.close();
    for (const words of [
      ['machine', '--last'],
      ['machine', '--last', '--bound'],
    ]) {
      const { status, stdout, stderr } = await loopfold(words, { cwd: place });
      expect({ status, stdout }).toEqual({ status: 7, stdout: '' });
      expect(stderr).toContain(`run ${damaged}`);
      expect(stderr).toContain('version 2');
    }
  });
});

describe('how long a run can get', () => {
  const bound = (...words: string[]) => json('--bound', ...words);

  test('machine --bound lists the most events of a loop and of each attempt, part by part', async () => {
    const { status, stdout } = await machine('iteration', '--bound', '--max-steps', '3', '--max-iterations', '2');
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^a run of iteration@1: at most \d+ events after its first, without input from outside\n {2}2 iterations, by maxIterations\n/,
    );
    expect(stdout).toMatch(/\neach attempt: at most [\d,]+ events [^\n]+\n {2}3 steps, by maxSteps\n/);
    expect(stdout).toMatch(/\nwith all below it: 3 runs, at most [\d,]+ events\n$/);
  });

  test('machine --bound names the option that bounds the rounds', async () => {
    const { stdout } = await machine('turn', '--bound', '--max-time', '100ms');
    expect(stdout).toContain('\n  100 steps, by maxTime\n');
  });

  test('the ceiling bounds the rounds of a loop whose maximum may rise, and the page says why', async () => {
    const { stdout } = await machine('ralph', '--bound', '--max-iterations', '3');
    expect(stdout).toMatch(/^ {2}100 iterations, by ceiling: .* may raise maxIterations up to it$/m);
  });

  test('machine --bound without a name takes the loop that run would, and grows with the caps', async () => {
    const small = await bound('--max-steps', '2');
    const large = await bound('--max-steps', '3');
    expect([small.machine, (await bound('--verify', 'true')).machine]).toEqual(['turn@1', 'iteration@1']);
    expect(small.events).toBe(small.parts.reduce((sum: number, { events }: { events: number }) => sum + events, 0));
    expect(large.events).toBeGreaterThan(small.events);
  });

  test('machine --bound --run says how many events are left, and 0 after the last', async () => {
    const all = await bound('iteration', '--max-iterations', '1', '--verify', 'L1:grep 2 n.txt');
    const first = await bound('--run', run, '--at', '1');
    expect(first).toMatchObject({ run, machine: 'iteration@1', version: 1, events: all.events });
    expect((await bound('--run', run, '--at', '4')).events).toBeLessThan(first.events);
    expect((await machine('--run', run, '--bound')).stdout).toMatch(
      new RegExp(`^run ${run} at version \\d+: at most 0 more events, without input from outside\n$`),
    );
  });

  test('machine --bound ends with 2 for a loop without any cap', async () => {
    const { status, stdout, stderr } = await machine('iteration', '--bound', '--max-iterations', 'none');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(
      "maxIterations (--max-iterations): expected a cap on the loop: maxIterations, or with 'none' maxTokens or maxTime, found 'none'",
    );
  });

  test.each<[string | undefined, MachineFlags, string]>([
    ['turn', { format: 'svg' }, '--format: expected json, or nothing, to go with --bound'],
    ['turn', { depth: '1' }, '--depth: expected a drawing'],
    ['turn', { detail: 'arrows' }, '--detail: expected a drawing'],
    ['turn', { last: true }, 'NAME: expected either a machine or a run'],
    ['turn', { at: '3' }, '--at: expected a version of a run'],
    ['trun', {}, 'Did you mean turn?'],
  ])('2: %j %j is refused, and says why', async (name, flags, why) => {
    await expect(machineBound(session(), name, flags)).rejects.toMatchObject({
      status: 2,
      message: expect.stringContaining(why),
    });
  });
});

describe('what of a machine is compiled', () => {
  test('its places, with the events that each takes and the effects that run there', async () => {
    const { status, stdout } = await machine('turn', '--compiled');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^turn@1 is compiled: \d+ places, 14 effects\n/);
    expect(stdout).toMatch(/^ {2}stream\.asking +\d+ events +deadline, model$/m);
    const { places, isCompiled } = await json('turn', '--compiled');
    expect(isCompiled).toBe(true);
    const asking = places.find(({ place }: { place: string }) => place === 'stream.asking');
    expect(asking.events).toEqual(expect.arrayContaining(['model.completed', 'abort.requested']));
  });

  test('without a name, every machine in a line', async () => {
    const { stdout } = await machine('--compiled');
    expect(stdout).toMatch(/^turn@1 +compiled: .*\niteration@1 +compiled: .*\nralph@1 +compiled/);
    expect(await json('--compiled')).toMatchObject([{ machine: 'turn@1', isCompiled: true }, {}, {}, {}, {}]);
  });

  test('the part that leaves a machine to XState', async () => {
    const left = Object.assign(session(), {
      knownLoops: async () => [{ id: 'odd@1', machine: createMachine({ type: 'parallel', states: { a: {} } }) }],
      loopName: async () => 'odd',
    });
    const lines: string[] = [];
    left.streams.out.line = (line: string) => void lines.push(line);
    expect(await machineCompiled(left, 'odd', {})).toBe(0);
    expect(await machineCompiled(left, undefined, { json: true })).toBe(0);
    const because = 'its root is a parallel state';
    expect(lines[0]).toBe(`odd@1 is left to XState: ${because}`);
    expect(JSON.parse(lines[1] ?? '')).toEqual([{ machine: 'odd@1', isCompiled: false, because }]);
  });

  test.each<[MachineFlags, string]>([
    [{ format: 'svg' }, '--format: expected json, or nothing, to go with --compiled'],
    [{ depth: '1' }, '--depth: expected a chart'],
    [{ last: true }, '--last: expected a chart'],
  ])('2: %j is refused, and says why', async (flags, why) => {
    await expect(machineCompiled(session(), 'turn', flags)).rejects.toMatchObject({
      status: 2,
      message: expect.stringContaining(why),
    });
  });

  test('machine ends with 2 where both --bound and --compiled are asked for', async () => {
    expect(await machine('turn', '--bound', '--compiled')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--compiled: expected either --bound or --compiled'),
    });
  });
});
