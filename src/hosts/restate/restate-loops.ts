import { v7 as uuidv7 } from 'uuid';
import type { RunOptions } from '../../config/options.ts';
import type { AppHost } from '../../app/app-host.ts';
import { localHost, Loops } from '../local/local-host.ts';
import { localHandlers } from '../local/local-handlers.ts';
import type { LoopsOptions } from '../local/loops-options.ts';
import type { Answer } from '../../app/people/people.ts';
import type { Grant } from '../../app/people/ruling.ts';
import { driveRun, saying, wake } from './drive-run.ts';
import { HeldTrees } from './tree-holds.ts';
import { loadSdk, type ObjectContext, type ObjectSharedContext, type VirtualObjectDefinition } from './sdk.ts';

export interface RestateLoopsOptions extends Omit<LoopsOptions, 'holds'> {
  /** The name of the virtual object. Default: `loopfold`. */
  readonly name?: string;
  /** The options that every run has, beside those that it is started with. */
  readonly run?: Partial<RunOptions>;
  /** Longer than any effect may take, in milliseconds: Restate leaves it alone for so long. Default: two hours. */
  readonly longestEffectMs?: number;
  /** Entries of a journal, beyond which a run goes on in another invocation. Default: 2,000. */
  readonly mostEntries?: number;
}

const MOST_ENTRIES = 2_000;
const LONGEST_EFFECT_MS = 7_200_000;
/** How long the journal of a run is kept after its end. */
const RETENTION_MS = 3_600_000;

/**
 * Loops as a virtual object of Restate, one key a run: `drive` starts or resumes it, and answers when it has ended.
 * Effects are entries of the journal of Restate, facts go into the log, and people speak to a run through the handlers
 * of the object, or through every verb that opens the log. Throws an `EnvironmentError` without the SDK.
 *
 * @example
 * const loops = await restateLoops({ log: openSqliteLog('runs.db'), run: { model: 'openai/gpt-5' } });
 * await restate.serve({ services: [loops], port: 9080 });
 */
export async function restateLoops({
  name = 'loopfold',
  run: common = {},
  longestEffectMs = LONGEST_EFFECT_MS,
  mostEntries = MOST_ENTRIES,
  ...options
}: RestateLoopsOptions): Promise<VirtualObjectDefinition<string, unknown>> {
  const sdk = await loadSdk();
  const host = localHost({ ...options, holds: null });
  const loops = new Loops({ ...options, holds: null });
  const driving = { sdk, host, held: heldBy(host), name, common, mostEntries };
  const { shared } = sdk.handlers.object;
  type Shared = ObjectSharedContext;
  const said = <Said>(context: Shared, what: string, say: () => Promise<Said>) => saying(context, { name, what }, say);
  return sdk.object({
    name,
    handlers: {
      drive: (context: ObjectContext, asked: RunOptions | null) => driveRun(driving, context, asked),
      answer: shared((context: Shared, given: Answer) =>
        said(context, 'answer', () => loops.answer(context.key, given)),
      ),
      grant: shared((context: Shared, given: Grant) => said(context, 'grant', () => loops.grant(context.key, given))),
      steer: shared((context: Shared, given: { readonly text: string }) =>
        said(context, 'steer', () => loops.steer(context.key, given.text)),
      ),
      abort: shared((context: Shared, given: { readonly reason?: string } | null) =>
        said(context, 'abort', () => loops.abort(context.key, given?.reason)),
      ),
      pause: shared((context: Shared) => context.run('pause', () => loops.pause(context.key))),
      resume: shared((context: Shared) => wake(context, 'resume')),
      wake: shared((context: Shared) => wake(context, 'look')),
      state: shared((context: Shared) => stateOf(loops, context.key)),
    },
    options: {
      // An invocation that is suspended while an effect is open would not be woken again.
      inactivityTimeout: longestEffectMs,
      abortTimeout: longestEffectMs,
      journalRetention: RETENTION_MS,
    },
  });
}

const heldBy = ({ log, definitions, services, redactFor }: AppHost): HeldTrees =>
  new HeldTrees({
    log,
    redactFor,
    loops: definitions,
    newRunId: uuidv7,
    now: () => services.clock.now(),
    monotonic: () => services.clock.monotonic(),
    makeHandlers: (run, settings, loop) => localHandlers(run, settings, loop, services),
  });

async function stateOf(loops: Loops, run: string) {
  const record = await loops.log.run(run);
  const isOpen = record !== null && record.closed === null;
  const questions = (isOpen && (await loops.questions(run))) || [];
  return { version: record?.version ?? 0, closed: record?.closed ?? null, asks: questions.length };
}
