import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { folder, loopfold as inOwnProcess, MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const root = join(import.meta.dirname, '../..');
const histories = join(root, 'test/histories');
const TURN = 'machines/turn.machine.ts';
const JUDGE = 'src/judging/judge-in-order.ts';

let copied: Promise<string> | null = null;

/** A copy of the sources. All edits are made in the same one: what they leave as it is is compiled once. */
async function copyOfSources(): Promise<string> {
  const copy = await folder();
  await mkdir(join(copy, 'src'));
  await Promise.all(
    ['src', 'machines', 'package.json'].map((part) => cp(join(root, part), join(copy, part), { recursive: true })),
  );
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

type Edit = readonly [from: string | RegExp, to: string];

/** The program, with its turn edited as by a person in an editor of charts, until the next edit. */
const edited = (...edits: readonly Edit[]): Promise<string> => editedIn(TURN, ...edits);

async function editedIn(path: string, ...edits: readonly Edit[]): Promise<string> {
  const copy = await (copied ??= copyOfSources());
  for (const each of [TURN, JUDGE]) await cp(join(root, each), join(copy, each));
  const source = await readFile(join(root, path), 'utf8');
  const after = edits.reduce((text, [from, to]) => text.replace(from, to), source);
  if (after === source) throw new Error('nothing was edited');
  await writeFile(join(copy, path), after);
  return join(copy, 'src/cli/main.ts');
}

const RETARGETED = [/(guard: 'asksForTools',\s+target: )'#turn.tools'/, "$1'#turn.verify'"] as const;
const NEGATED = [
  'hasChecks: ({ context }) => context.hasChecks',
  'hasChecks: ({ context }) => !context.hasChecks',
] as const;

let cwd = '';
let run = '';

beforeAll(async () => {
  const call = { calls: [{ tool: 'list', arguments: { path: '.' } }] };
  cwd = await project({ attempts: [{ answers: [call, { text: 'one' }] }, { answers: [call, { text: 'two' }] }] });
  const words = ['run', 'look', ...MODEL, '--verify', 'L1:false', '--max-iterations', '2', '--output-format', 'json'];
  run = resultIn(await loopfold(words, { cwd })).run ?? '';
});

describe('check: the runs of a log', () => {
  test('0: a line for each run, attempts too, and all of them counted; the log is not touched', async () => {
    const log = join(cwd, '.loopfold/log.db');
    const before = await readFile(log);
    const { status, stdout, stderr } = await loopfold(['check'], { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(
      new RegExp(
        `^same     ${run.slice(-8)}  \\d+ events\n(same     \\w{8}  child of ${run.slice(-8)}, \\d+ events\n){2}\n3 runs: 3 same\n$`,
      ),
    );
    expect((await readFile(log)).equals(before)).toBe(true);
  });

  test('a run with those below it, by a part of its id; a child by itself', async () => {
    expect((await loopfold(['check', run.slice(-8)], { cwd })).stdout).toContain('3 runs: 3 same');
    const { runs } = JSON.parse((await loopfold(['check', '--last', '--json'], { cwd })).stdout);
    expect(runs.map(({ childOf }: { childOf?: string }) => childOf)).toEqual([undefined, run, run]);
    expect((await loopfold(['check', runs[2].run], { cwd })).stdout).toContain('1 run: 1 same');
  });

  testInTurn('7: a chart that was edited after the run: the version, both states and the transition', async () => {
    const { status, stdout } = await inOwnProcess(['check'], { cwd, file: await edited(RETARGETED) });
    expect(status).toBe(7);
    expect(stdout).toMatch(/^same .*\ndiffers  \w{8}  child of \w{8}, from version 4 on, model\.completed\ndiffers/);
    expect(stdout).toContain(join(cwd, '.loopfold/log.db'));
    expect(stdout).toMatch(
      /\n {2}before +stream\.asking\/2\n {2}recorded +tools\.admitting\/2\n {2}today +verify\.capturing\/2\n/,
    );
    expect(stdout).toMatch(/\n {2}taken +stream\.asking model\.completed 0 \[asksForTools\] → verify\n/);
    expect(stdout).toMatch(
      /\n {2}next +5 {2}calls\.admitted: refused today\n {2}so do +1 run more: \w{8} from 4\n\n3 runs: 1 same, 2 differs\n$/,
    );
  });

  testInTurn('7: a chart that only remembers less: the state is the same, and the member is named', async () => {
    const forgetful = ['countUsage: assign((on) => life.countUsage(on))', 'countUsage: assign(() => ({}))'] as const;
    const { status, stdout } = await inOwnProcess(['check'], { cwd, file: await edited(forgetful) });
    expect(status).toBe(7);
    expect(stdout).toMatch(/^same .*\ndiffers .*\ndiffers/);
    expect(stdout).toMatch(/\n {2}today +.*, with another memory\n/);
    expect(stdout).toMatch(/\n {2}namely +context\.spend\n/);
  });

  test('7: a judge that was edited after the run: how many judgements, and the first of them', async () => {
    const strict = ['faulted(fault) ?? success ??', 'faulted(fault) ??'] as const;
    const { status, stdout } = await inOwnProcess(['check'], { cwd, file: await editedIn(JUDGE, strict) });
    expect(status).toBe(7);
    expect(stdout).toMatch(
      /\nsame .*, 1 of \d+ judgements would be another one today, first version \d+: success then, go on today\n/,
    );
    expect(stdout).toMatch(/\n3 runs: 3 same, 2 judged otherwise\n$/);
  });

  test('7: a log that is no longer what was written: file, run and version', async () => {
    const place = await folder({ 'model.json': JSON.stringify({ answers: [{ text: 'done' }] }) });
    await loopfold(['run', 'x', ...MODEL], { cwd: place });
    const database = new DatabaseSync(join(place, '.loopfold/log.db'));
    database.exec(`UPDATE events SET payload = replace(payload, 'done', 'gone') WHERE version = 4`);
    database.close();
    const { status, stdout } = await loopfold(['check'], { cwd: place });
    expect(status).toBe(7);
    expect(stdout).toMatch(
      /^damaged  \w{8}  .*\/\.loopfold\/log\.db, version 4: its hash does not follow from its content\n\n1 run: 0 same, 1 damaged\n$/,
    );
  });

  test.each([
    [['nobody'], 2, /RUN: expected the id of a run/],
    [['nowhere/at-all'], 2, /PATH: expected a file or a folder of recorded runs, found 'nowhere\/at-all'/],
    [['.'], 2, /PATH: expected a folder with recorded runs in \.jsonl files/],
    [['-C', '/', '--last'], 5, /there is no log/],
  ])('%j: %i', async (words, status, complaint) => {
    expect(await loopfold(['check', ...words], { cwd })).toEqual({
      status,
      stdout: '',
      stderr: expect.stringMatching(complaint),
    });
  });
});

describe('check: files of recorded runs', () => {
  testInTurn('0: today’s machines, and one that was described otherwise and has an unused sub-state', async () => {
    expect(await loopfold(['check', histories], { cwd })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('62 runs: 62 same'),
    });
    const file = await edited(
      ["description: 'The provider asked", "description: 'Its provider asked"],
      ['        waiting: {', '        idling: {},\n        waiting: {'],
    );
    expect(await inOwnProcess(['check', 'test/histories'], { cwd: root, file })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('62 runs: 62 same'),
    });
  });

  testInTurn.each([
    [
      'an arrow that leads elsewhere',
      [RETARGETED],
      24,
      'turn-success',
      {
        version: 4,
        today: 'verify.capturing/2',
        taken: [{ id: 'stream.asking model.completed 0', to: ['verify'] }],
        next: { isTaken: false, takenIn: ['tools.admitting'] },
      },
    ],
    [
      'a guard that says the opposite',
      [NEGATED],
      32,
      'turn-text-only',
      {
        version: 5,
        before: 'stream.asking/2',
        taken: [{ guard: 'hasChecks' }],
        next: { event: 'decision.made', isTaken: false },
      },
    ],
    [
      'a state of another name',
      [[/asking/g, 'inquiring']],
      45,
      'turn-success',
      {
        version: 2,
        event: 'decision.made',
        today: 'stream.inquiring/2',
        taken: [{ id: 'decide.judging decision.made 1' }],
      },
    ],
  ] as const)('7: %s', async (_name, edits, differs, history, difference) => {
    const { status, stdout } = await inOwnProcess(['check', 'test/histories', '--json'], {
      cwd: root,
      file: await edited(...edits),
    });
    const { summary, runs } = JSON.parse(stdout);
    expect({ status, summary }).toEqual({
      status: 7,
      summary: {
        runs: 62,
        same: 62 - differs,
        differs,
        refused: 0,
        unreadable: 0,
        damaged: 0,
        judgedOtherwise: 0,
        storeFaults: 0,
      },
    });
    const { difference: found } = runs.find(({ file }: { file: string }) => file === `test/histories/${history}.jsonl`);
    expect(found).toMatchObject({ sign: 'digest', ...difference });
  });

  test('7: a machine that is not known, and a line that is no event, by its place', async () => {
    const text = await readFile(join(histories, 'turn-text-only.jsonl'), 'utf8');
    const strange = text.replace('"machine":"turn@1"', '"machine":"turn@9"');
    const place = await folder({
      'a.jsonl': strange,
      'b.jsonl': text.replace('"version":3', '"version":"3"'),
      'c.txt': 'no history',
    });
    const { status, stdout } = await loopfold(['check', place], { cwd });
    expect(status).toBe(7);
    expect(stdout).toMatch(
      /^refused  c160b715  turn@9 is not known here: turn@1, iteration@1, ralph@1, improvement@1, contest@1 are {2}.*\/a\.jsonl\ndamaged {12}.*\/b\.jsonl:4: version: .*\n\n2 runs: 0 same, 1 refused, 1 damaged\n$/,
    );
  });

  test('7: an unreadable file does not keep the others from being checked; its text moves no cursor', async () => {
    const text = await readFile(join(histories, 'turn-text-only.jsonl'), 'utf8');
    const painted = text.replace('"machine":"turn@1"', '"machine":"\\u001b[31mturn@9\\u0007\\n"');
    const place = await folder({ 'a.jsonl': painted, 'c.jsonl': text });
    await writeFile(join(place, 'b.jsonl'), Buffer.from([0xff, 0xfe, 0]));
    const { status, stdout, stderr } = await loopfold(['check', place], { cwd });
    expect({ status, stderr }).toEqual({ status: 7, stderr: '' });
    expect(stdout).toMatch(
      /^refused  c160b715  turn@9 +is not known here: .*\ndamaged {12}.*b\.jsonl:1: it is not text in UTF-8\nsame .*c\.jsonl\n\n3 runs/,
    );
    const alone = await loopfold(['check', join(place, 'b.jsonl')], { cwd });
    expect(alone).toMatchObject({ status: 2, stderr: expect.stringContaining('b.jsonl, which is not text in UTF-8') });
  });

  test('what `events --json` prints is one, beside runs of the log', async () => {
    const { stdout } = await loopfold(['events', run, '--json'], { cwd });
    const place = await folder({ 'run.jsonl': stdout });
    const checked = await loopfold(['check', run, join(place, 'run.jsonl')], { cwd });
    expect(checked).toMatchObject({ status: 0, stdout: expect.stringContaining('4 runs: 4 same') });
  });
});
