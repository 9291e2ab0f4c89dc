import { filter, firstValueFrom } from 'rxjs';
import type { EventOf, LoopEvent } from '../../../machines/events.ts';
import type { Model, ModelRequest } from '../../../src/actors/model/model.ts';
import { type AnyScript, scriptedModel } from '../../../src/actors/model/model-script.ts';
import type { RunOptions } from '../../../src/config/options.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import type { LoopsOptions } from '../../../src/hosts/local/loops-options.ts';
import type { LiveRun } from '../../../src/app/running/live-runs.ts';
import type { Log } from '../../../src/log/log.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import type { Watch } from '../../../src/runtime/own-tree.ts';
import { history } from '../../support/run-history.ts';

export const ask = (question: string, choices: string[] = []) => ({
  tool: 'ask_user',
  arguments: { question, choices },
});
export const request = (path: string) => ({ tool: 'request_read_access', arguments: { path, reason: 'to compare' } });

const TOOLS = ['ask_user', 'request_read_access', 'finish'];

/** One log, and loops on it as several processes would have them. What any of their models is asked is kept. */
export function office(script: AnyScript, { log = memoryLog(), tools = [], ...more }: Partial<LoopsOptions> = {}) {
  const requests: ModelRequest[] = [];
  const inner = scriptedModel(script);
  const model: Model = { ...inner, answer: (asked, call) => (requests.push(asked), inner.answer(asked, call)) };
  const loops = () => new Loops({ log, model, tools, ...more });
  const own = [...TOOLS, ...tools.map(({ name }) => name)];
  const start = (options: Partial<RunOptions> = {}, watch?: Watch) =>
    loops().start({ prompt: 'Do it.', loop: 'turn', tools: own, ...options }, watch);
  return { log, loops, start, requests };
}

export const untilWaiting = ({ waiting }: LiveRun): Promise<boolean> =>
  firstValueFrom(waiting.pipe(filter((isWaiting) => isWaiting)));

/** A run that has asked a question, and that no process owns any more. */
export async function leftWaiting(
  harness: ReturnType<typeof office>,
  options: Partial<RunOptions> = {},
): Promise<string> {
  const live = await harness.start(options);
  await untilWaiting(live);
  await live.pause('waiting');
  await live.done;
  return live.run;
}

export async function resumed(loops: Loops, run: string): Promise<LiveRun> {
  const taken = await loops.resume(run);
  if (taken.kind !== 'live') throw new Error(`not resumed: ${JSON.stringify(taken)}`);
  return taken.live;
}

/** What tools, and people, have said to a model so far. */
export const outputsIn = ({ messages }: ModelRequest): readonly string[] =>
  messages.flatMap((message) => (message.role === 'tool' ? [message.output] : []));

/** What a person has said to a model so far, the task included. */
export const wordsIn = ({ messages }: ModelRequest): readonly string[] =>
  messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));

/** The facts of one type of a run and those below it. */
export async function factsOf<Type extends LoopEvent['type']>(log: Log, run: string, type: Type) {
  const tree = (await log.runs()).filter(({ root }) => root === run);
  const facts = (await Promise.all(tree.map((record) => history(log, record.run)))).flat();
  return facts.flatMap((fact) =>
    fact.type === type ? [{ run: fact.run, payload: fact.payload as EventOf<Type>['payload'] }] : [],
  );
}
