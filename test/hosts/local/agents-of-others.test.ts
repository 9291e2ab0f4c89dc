import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { EventOf, LoopEvent } from '../../../machines/events.ts';
import type { RunOptions } from '../../../src/config/options.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { quotedAll } from '../../../src/text/shell-words.ts';
import { repository } from '../../git/repository.ts';

const STORY = join(import.meta.dirname, '../../agents/fake-agent.process.ts');
const playing = (story: string) => `acp:${quotedAll([process.execPath, STORY, story])}`;

/** A run whose work an agent of others does, in a repository of its own. */
async function begun(agent: string, options: Partial<RunOptions> = {}) {
  const { root, commit } = await repository({ 'x.txt': 'x' });
  await commit();
  const loops = new Loops({ log: memoryLog() });
  // The programs of these stories may lie in a folder that walls hide.
  const sandbox = 'off' as const;
  const task = { prompt: 'Write hello.txt.', directory: root, agent, checks: ['test -f hello.txt'], sandbox };
  const live = await loops.start({ accept: 'weak', ...task, ...options });
  const factsOf = async (run: string) =>
    (await lastValueFrom(loops.events(run).pipe(toArray()))) as unknown as readonly LoopEvent[];
  return { root, live, loops, factsOf };
}

async function ended(agent: string, options: Partial<RunOptions> = {}) {
  const { root, live, factsOf } = await begun(agent, options);
  const end = await live.done;
  if (end.kind !== 'ended') throw new Error(`it left as ${end.kind}`);
  const facts = await factsOf(live.run);
  const attempts = facts.flatMap(({ type, payload }) => (type === 'child.settled' ? [payload.child] : []));
  return { root, outcome: end.outcome, facts, attempts: await Promise.all(attempts.map(factsOf)) };
}

/** Tells if a process with these words runs. */
const isStarted = (...words: readonly string[]): boolean =>
  readdirSync('/proc').some((entry) => {
    try {
      return /^\d+$/.test(entry) && readFileSync(join('/proc', entry, 'cmdline'), 'utf8') === `${words.join('\0')}\0`;
    } catch {
      return false;
    }
  });

const payloadsOf = <Type extends LoopEvent['type']>(facts: readonly LoopEvent[] | undefined, type: Type) =>
  (facts ?? []).flatMap((fact) => (fact.type === type ? [fact.payload as EventOf<Type>['payload']] : []));

describe('a loop whose work an agent of others does', () => {
  test('X1 the checks prove its work, and what it did is in the run of its attempt', async () => {
    const { outcome, attempts, facts } = await ended(playing('works'));
    expect(outcome).toMatchObject({ ending: 'success', verified: { grade: 'verified' } });
    const [answer] = payloadsOf(attempts[0], 'model.completed');
    expect(answer?.text).toBe('done');
    expect(answer?.agent).toMatchObject({ session: 's1', product: 'fake 1', stop: 'stopped', usage: 'reported' });
    expect(answer?.agent?.calls.map(({ title, status }) => [title, status])).toEqual([
      ['write hello.txt', 'completed'],
    ]);
    const [started] = payloadsOf(facts, 'run.started');
    expect([started?.settings.agent, started?.settings.tools]).toEqual([null, []]);
  });

  test('X1 that it says it is done proves nothing: the checks go on to the limit', async () => {
    const { outcome, attempts } = await ended(playing('idles'), { maxIterations: 2 });
    expect(outcome).toMatchObject({ ending: 'cap_hit', limit: { name: 'iterations', used: 2 } });
    expect(attempts).toHaveLength(2);
    for (const facts of attempts) {
      expect(payloadsOf(facts, 'warning.raised').map(({ code }) => code)).toEqual(['agent_idle']);
    }
  });

  test('X1 it is allowed to work in the workspace, and the questions are recorded with their answers', async () => {
    const { outcome, attempts } = await ended(playing('asks'));
    expect(outcome.ending).toBe('success');
    const [answer] = payloadsOf(attempts[0], 'model.completed');
    expect(answer?.agent?.permissions).toEqual([
      { call: 't1', title: 'write hello.txt', kind: 'edit', answer: 'allowed' },
    ]);
  });

  test('X9 what it asks goes to a person by a rule, and after a yes it is prompted again and allowed', async () => {
    const { live, loops, root, factsOf } = await begun(playing('asks'), { permissions: ['ask edit path=hello.txt'] });
    await expect.poll(() => loops.questions(live.run)).toMatchObject([{ kind: 'approval' }]);
    expect(existsSync(join(root, 'hello.txt'))).toBe(false);
    await loops.grant(live.run, { granted: true });
    expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
    expect(existsSync(join(root, 'hello.txt'))).toBe(true);
    const [attempt] = payloadsOf(await factsOf(live.run), 'child.settled');
    const answers = payloadsOf(await factsOf(attempt?.child ?? ''), 'model.completed');
    expect(answers.map(({ agent }) => agent?.permissions.map(({ answer }) => answer))).toEqual([
      ['refused'],
      ['allowed'],
    ]);
  });

  test('X9 what a rule denies it is refused, and no person is asked', async () => {
    const { root, outcome, attempts } = await ended(playing('asks'), { permissions: ['deny edit'], maxIterations: 1 });
    expect(outcome.ending).toBe('cap_hit');
    expect(existsSync(join(root, 'hello.txt'))).toBe(false);
    expect(payloadsOf(attempts[0], 'model.completed')[0]?.calls).toEqual([]);
  });

  test('X1 after one that has crashed, another attempt follows with what the checks say', async () => {
    const first = `test -f .git/second || { touch .git/second; exit 3; }; cat > got && touch hello.txt`;
    const { root, outcome, attempts } = await ended(`cmd:${first}`);
    expect(outcome.ending).toBe('success');
    expect(payloadsOf(attempts[0], 'model.failed').map(({ fault }) => fault.code)).toEqual(['agent_crashed']);
    expect(readFileSync(join(root, 'got'), 'utf8')).toContain('This is attempt 2');
  });

  test('X1 one without a login ends the run, with the reason', async () => {
    const { outcome, attempts } = await ended(playing('logged out'), { maxIterations: 3 });
    expect(outcome).toMatchObject({ ending: 'abort', fault: { code: 'authentication' } });
    expect(attempts).toHaveLength(1);
  });

  test('X2 a Ralph loop goes on until it keeps its promise, and tells it what it is', async () => {
    const script =
      'task=$(cat); echo "$task" >> tasks; test -f hello.txt && echo "$task" | grep -o "<promise>.*</promise>" | tail -1; touch hello.txt';
    const { root, outcome, attempts } = await ended(`cmd:${script}`, { loop: 'ralph', labels: ['ralph-wiggum-5'] });
    expect(outcome.ending).toBe('success');
    expect(attempts).toHaveLength(2);
    expect(readFileSync(join(root, 'tasks'), 'utf8')).toContain('Write hello.txt.');
  });

  test.each<['off' | 'try', number]>([
    ['off', 100_001],
    ['try', 100_002],
  ])('X1 X5 an abort ends it with all that it has started, with the walls %s', async (sandbox, seconds) => {
    const { root, live } = await begun(`cmd:setsid sleep ${seconds} & touch started; wait`, { sandbox });
    await expect.poll(() => existsSync(join(root, 'started')) && isStarted('sleep', `${seconds}`)).toBe(true);
    await live.abort('enough');
    await live.done;
    await expect.poll(() => isStarted('sleep', `${seconds}`)).toBe(false);
  });

  test.each<[Partial<RunOptions>, string]>([
    [{ model: 'agent:nothing', agent: 'Coder' }, 'There is no agent nothing'],
    [{ images: ['x.png'] }, 'an agent of others is given a text'],
  ])('X2 %j is refused before anything starts', async (options, reason) => {
    await expect(begun('cmd:true', options)).rejects.toThrow(reason);
  });
});
