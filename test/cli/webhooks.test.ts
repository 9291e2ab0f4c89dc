import { expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { isSigned, receiver, type Reply } from '../support/webhook-receiver.ts';
import { MODEL, Program, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const KEY = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const env = { LOOPFOLD_WEBHOOK_SECRET: SECRET };
const TRIED = { answers: [{ text: 'tried' }] };
const statusOf = ({ body }: { readonly body: string }): string => JSON.parse(body).status;
const STATUSES = ['started', 'continuing', 'max_iterations'];

const CALL = ['run', 'x', ...MODEL, '--verify', 'false', '--max-iterations', '2'];
const run = (url: string, ...more: readonly string[]) => [...CALL, '--webhook', url, ...more];

test('R11 a run delivers its reports before its process ends', async () => {
  const { url, received } = await receiver();
  const cwd = await project(TRIED);
  const { status, stderr } = await loopfold(run(url), { cwd, env });
  expect(status).toBe(10);
  expect(received.map(statusOf)).toEqual(STATUSES);
  for (const one of received) expect(await isSigned(one, KEY)).toBe(true);
  expect(stderr).not.toContain('owed');
  expect(await loopfold(['deliver'], { cwd, env })).toMatchObject({ status: 0, stdout: '0 reports delivered\n' });
});

testInTurn('R11 what is owed is said at the end, listed later, and delivered by deliver', async () => {
  let reply: Reply = 500;
  const { url, taken, received } = await receiver(() => reply);
  const cwd = await project(TRIED);
  // Ctrl-C ends the wait for the reports.
  const program = new Program([...run(url), '--output-format', 'json'], { cwd, env });
  await program.shows('waiting up to 10 s');
  program.signal('SIGINT');
  const ended = await program.ended;
  const result = resultIn(ended);
  expect(result).toMatchObject({ exit: 10, state: 'ended' });
  expect(result.owed).toMatchObject(STATUSES.map(() => ({ run: result.run, url })));
  expect(result.owed[0]?.attempts).toBeGreaterThan(0);
  expect(result.next.some((command) => command.endsWith('deliver'))).toBe(true);
  expect(ended.stderr).toMatch(/3 reports owed to http:\S+hook: (answered 500|no answer)/);
  expect(received.every(({ id }) => id === received[0]?.id)).toBe(true);

  expect((await loopfold(['runs'], { cwd })).stdout).toContain('3 reports owed');
  expect((await loopfold(['show', '--last'], { cwd })).stdout).toMatch(/reports +3 reports owed to/);
  const [listed] = JSON.parse((await loopfold(['runs', '--json'], { cwd })).stdout);
  expect(listed).toMatchObject({ owed: 3 });

  const refused = await loopfold(['deliver', '--json'], { cwd, env });
  expect(refused.status).toBe(17);
  expect(JSON.parse(refused.stdout)).toMatchObject({ delivered: 0, owed: [{ lastError: 'answered 500' }, {}, {}] });
  expect(await loopfold(['deliver'], { cwd })).toMatchObject({ status: 17, stdout: '0 reports delivered\n' });

  reply = 204;
  expect(await loopfold(['deliver'], { cwd, env })).toMatchObject({ status: 0, stdout: '3 reports delivered\n' });
  expect(taken().map(statusOf)).toEqual(STATUSES);
  expect((await loopfold(['show', '--last', '--json'], { cwd })).stdout).toContain('"reports": []');
});

testInTurn(
  'R11 a process that is killed while it delivers loses no report, and a later one delivers each',
  async () => {
    let reply: Reply = 'hang';
    const { url, until, taken, received } = await receiver(() => reply);
    const cwd = await project(TRIED);
    const program = new Program(run(url), { cwd, env });
    await until(1);
    await program.shows('waiting up to 10 s');
    program.signal('SIGKILL');
    await program.ended;
    reply = 204;
    const hanging = received.length;
    expect(await loopfold(['deliver'], { cwd, env })).toMatchObject({ status: 0, stdout: '3 reports delivered\n' });
    expect(taken().map(statusOf)).toEqual(STATUSES);
    expect(new Set(received.slice(0, hanging + 1).map(({ id }) => id)).size).toBe(1);
  },
);

testInTurn(
  'R11 two processes that deliver at once count what each has delivered, and name the one that tries',
  async () => {
    let reply: Reply = 500;
    const { url, until, received, answerHanging } = await receiver(() => reply);
    const cwd = await project(TRIED);
    const ended = new Program(run(url), { cwd, env });
    await ended.shows('waiting up to 10 s');
    ended.signal('SIGINT');
    await ended.ended;
    reply = 'hang';
    const before = received.length;
    const first = new Program(['deliver'], { cwd, env });
    await until(before + 1);
    const second = await loopfold(['deliver'], { cwd, env });
    expect(second).toMatchObject({ status: 17, stdout: '0 reports delivered\n' });
    expect(second.stderr).toContain(`3 reports owed to ${url}: process ${first.pid} on `);
    expect(second.stderr).toContain('is trying the first of them now');
    reply = 204;
    answerHanging(204);
    expect(await first.ended).toMatchObject({ status: 0, stdout: '3 reports delivered\n' });
  },
);

/** A project whose run has left before its reports were delivered. */
async function leftOwing(): Promise<string> {
  const { url } = await receiver(() => 500);
  const cwd = await project(TRIED);
  const program = new Program(run(url), { cwd, env });
  await program.shows('waiting up to 10 s');
  program.signal('SIGINT');
  await program.ended;
  return cwd;
}

testInTurn('R11 a report that no process here can sign names the variable that is not set', async () => {
  const cwd = await leftOwing();
  const { status, stderr } = await loopfold(['deliver'], { cwd });
  expect(status).toBe(17);
  expect(stderr).toContain('not tried here: LOOPFOLD_WEBHOOK_SECRET, with which they are signed, is not set');
});

testInTurn('R11 a run that is resumed without the secret says so, and announces no wait for its reports', async () => {
  const cwd = await leftOwing();
  const { stderr } = await loopfold(['extend', '--last', '--max-iterations', '3'], { cwd });
  expect(stderr).toContain('warning: LOOPFOLD_WEBHOOK_SECRET is not set');
  expect(stderr).not.toContain('waiting up to');
});

test('R11 a secret that is not there is said before the run begins', async () => {
  const cwd = await project(TRIED);
  const webhook = JSON.stringify({ url: 'https://one.example', secretVariable: 'ABSENT' });
  const { status, stderr } = await loopfold(run(webhook), { cwd });
  expect(status).toBe(2);
  expect(stderr).toContain('ABSENT');
  expect(stderr).toContain('variable that is set');
});
