import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventOf, LoopEvent } from '../../../machines/events.ts';
import { KEY, type Played, playing, type Started } from './playing.ts';
import type { RealAgent } from './real-agents.ts';
import { HOOK_RAN, placeRedirects } from './redirects.ts';

/** The result of one case: what was wrong, or nothing; and what is worth a word. */
export interface CaseResult {
  readonly wrong: readonly string[];
  readonly notes: readonly string[];
}

type Case = (agent: RealAgent) => Promise<CaseResult>;

const RUN = ['run', '--verify', 'test -f hello.txt', '--accept', 'weak', '--max-iterations', '1'];
/** What the processes of an agent have to be gone by, after its run was stopped or resumed. */
const GONE_MS = 5_000;
const STARTED_MS = 60_000;

const writes = (agent: RealAgent) => ({ calls: [agent.shell('echo hello > hello.txt')] });
const sleeps = (agent: RealAgent) => ({ calls: [agent.shell('touch started.txt; sleep 300; touch ended.txt')] });
const done = { text: 'All done.' };

/** Lets an agent play a case, and says what does not hold afterwards. */
const checked = async (
  played: Played,
  check: (played: Played, notes: string[]) => Promise<readonly (string | false)[]>,
): Promise<CaseResult> => {
  const notes: string[] = [];
  try {
    const wrong = (await check(played, notes)).filter((one) => one !== false);
    return { wrong, notes };
  } finally {
    for (const pid of await played.left()) process.kill(pid, 'SIGKILL');
    await played.close();
  }
};

const isThere = ({ workspace }: Played, name: string) => existsSync(join(workspace, name));
const runs = (played: Played, ...flags: readonly string[]): Started =>
  played.start(...RUN, '--agent', played.agent.as, ...flags, 'Write hello.txt.');

const of = <Type extends LoopEvent['type']>(facts: readonly LoopEvent[], type: Type) =>
  facts.flatMap((fact) => (fact.type === type ? [fact.payload as EventOf<Type>['payload']] : []));
const endingOf = (facts: readonly LoopEvent[]) => of(facts, 'decision.made').findLast(({ sink }) => sink)?.sink;
const sunk = (facts: readonly LoopEvent[]) => {
  const [ending] = of(facts, 'decision.made').flatMap(({ sink }) => (sink ? [sink] : []));
  return ending;
};
const reportOf = (facts: readonly LoopEvent[]) =>
  of(facts, 'model.completed').at(-1)?.agent ?? of(facts, 'model.failed').at(-1)?.agent;

/** Waits until the command of an agent runs. */
async function atWork(played: Played, { ended }: Started): Promise<string | false> {
  const over = ended.then(({ output }) => output);
  const until = Date.now() + STARTED_MS;
  while (!isThere(played, 'started.txt')) {
    const output = await Promise.race([over, delay(100, null)]);
    if (output !== null) return `it ended before its command began: ${output.slice(-300)}`;
    if (Date.now() > until) return 'its command did not begin within a minute';
  }
  return false;
}

async function gone(played: Played): Promise<string | false> {
  const until = Date.now() + GONE_MS;
  while (Date.now() < until && (await played.left()).length > 0) await delay(100);
  const left = await played.left();
  return left.length > 0 && `${left.length} processes are left`;
}

const plain: Case = async (agent) =>
  checked(await playing(agent, { answers: [writes(agent), done] }), async (played, notes) => {
    const { status, output } = await runs(played).ended;
    const facts = await played.facts();
    const report = reportOf(facts);
    notes.push(`${report?.requests ?? 0} requests metered, reported ${JSON.stringify(report?.reported ?? null)}`);
    return [
      status !== 0 && `status ${status}: ${output.slice(-300)}`,
      sunk(facts)?.ending !== 'success' && 'no success',
      report?.usage !== 'metered' && `usage is ${report?.usage}`,
      of(facts, 'agent.worked').every(({ session }) => !session) && 'no session was told',
      (report?.calls.length ?? 0) === 0 && 'no call was reported',
      await gone(played),
    ];
  });

const reject: Case = async (agent) =>
  checked(await playing(agent, { answers: [writes(agent), done] }), async (played, notes) => {
    await runs(played, '--permission', 'deny shell').ended;
    const facts = await played.facts();
    if (!agent.isRuled) notes.push('no rule reaches its commands');
    notes.push(`${reportOf(facts)?.permissions.length ?? 0} questions`);
    const hasWritten = isThere(played, 'hello.txt');
    return [
      agent.isRuled && hasWritten && 'the file was written',
      played.server.requests.length === 0 && 'its provider was not asked',
      await gone(played),
    ];
  });

const cancel: Case = async (agent) =>
  // Asked again and again: some agents do not wait for a long command.
  checked(await playing(agent, { answers: [sleeps(agent)] }), async (played, notes) => {
    const started = runs(played);
    const late = await atWork(played, started);
    const from = performance.now();
    await played.start('abort', '--last').ended;
    const { status } = await started.ended;
    notes.push(`ended after ${Math.round(performance.now() - from)} ms with status ${status}`);
    const facts = await played.facts();
    const [left, ended] = [await gone(played), isThere(played, 'ended.txt')];
    return [late, endingOf(facts)?.ending !== 'abort' && 'it did not end as aborted', left, ended && 'it went on'];
  });

const cap: Case = async (agent) =>
  checked(
    await playing(agent, {
      answers: [{ ...writes(agent), usage: { inputTokens: 300_000, outputTokens: 10 } }, done],
      withoutTools: { text: 'A title', usage: { inputTokens: 10, outputTokens: 2 } },
    }),
    async (played, notes) => {
      await runs(played, '--max-tokens', '250000').ended;
      const facts = await played.facts();
      notes.push(`stopped as ${reportOf(facts)?.stop}`);
      const served = played.server.requests.filter(({ isAside }) => !isAside).length;
      return [
        !of(facts, 'decision.made').some(({ sink }) => sink?.ending === 'budget') && 'its ending is no budget',
        served !== 1 && `${served} requests were served`,
        await gone(played),
      ];
    },
  );

/** A hidden call of the agent may take one of them. */
const writesAgain = (agent: RealAgent) => ({ ...writes(agent), repeat: 2 });

const killAndResume: Case = async (agent) =>
  checked(await playing(agent, { answers: [sleeps(agent), writesAgain(agent), done] }), async (played, notes) => {
    const started = runs(played);
    const late = await atWork(played, started);
    started.child.kill('SIGKILL');
    await started.ended;
    const { status, output } = await played.start('resume', '--last').ended;
    const left = await gone(played);
    const facts = await played.facts();
    const sessions = of(facts, 'agent.worked').flatMap(({ session }) => (session ? [session.id] : []));
    notes.push(new Set(sessions).size === 1 ? 'the session was continued' : `${sessions.length} sessions`);
    return [
      late,
      status !== 0 && `status ${status}: ${output.slice(-300)}`,
      of(facts, 'model.interrupted').length === 0 && 'no interruption is recorded',
      left,
      isThere(played, 'ended.txt') && 'its command went on',
    ];
  });

const noOp: Case = async (agent) =>
  checked(await playing(agent, { answers: [done] }), async (played) => {
    const { status } = await runs(played).ended;
    const facts = await played.facts();
    return [
      status === 0 && 'it counts as success',
      !of(facts, 'warning.raised').some(({ code }) => code === 'agent_idle') && 'no warning says that it did nothing',
      await gone(played),
    ];
  });

/** The files that redirect lie in the workspace, and above it. */
const escape =
  (...flags: readonly string[]): Case =>
  async (agent) =>
    checked(await playing(agent, { answers: [writes(agent), done] }), async (played, notes) => {
      await placeRedirects(played.workspace, played.elsewhere);
      const { status } = await runs(played, ...flags).ended;
      const metered = played.server.requests.length;
      notes.push(`${metered} requests to its provider, ${played.strayed.length} elsewhere, status ${status}`);
      return [
        played.strayed.length > 0 && `it was led away: ${played.strayed[0]}`,
        played.strayed.some((key) => key.includes(KEY)) && 'THE KEY WAS THERE',
        isThere(played, HOOK_RAN) && 'the hook ran',
        metered === 0 && 'its provider was not asked',
        await gone(played),
      ];
    });

/** Everything that is asked of a real agent, by name. */
export const CASES: Readonly<Record<string, Case>> = {
  plain,
  reject,
  cancel,
  cap,
  'kill and resume': killAndResume,
  'no-op': noOp,
  escape: escape(),
  'escape without walls': escape('--sandbox', 'off'),
};
