import { type EventOf, NO_SPEND, type Outcome } from 'loopfold/machines';
import { type AnyEventObject, createActor, fromCallback, waitFor } from 'xstate';
import type { ReviewedEvent } from './reviewed.events.ts';
import { judged } from './reviewed.judge.ts';
import { reviewed, type ReviewedContext } from './reviewed.machine.ts';

/** What a reviewed loop is made of, once it is real. */
export interface Workshop {
  /** Does the work, or tries to. Iterations count from 0. */
  readonly attempt: (iteration: number) => Promise<void>;
  /** A name for the work as it is now. */
  readonly capture: () => Promise<string>;
  readonly check: () => Promise<{ readonly passed: boolean; readonly output: string }>;
  readonly review: () => Promise<{ readonly approved: boolean; readonly remark: string }>;
}

export interface Finished {
  readonly outcome: Outcome | null;
  /** All that has happened, in order. Folded again, it comes to the same end. */
  readonly events: readonly ReviewedEvent[];
}

/** Runs the loop in this process: a plain XState actor whose actors are real. Its events are kept in memory only. */
export async function run(started: EventOf<'run.started'>, workshop: Workshop): Promise<Finished> {
  const events: ReviewedEvent[] = [started];
  const now = () => new Date().toISOString();
  /** The machine is asked before anything is recorded: who answers too late is not heard. */
  const say = (event: ReviewedEvent): void => {
    const recorded = { ...event, at: now(), version: events.length + 1 };
    if (!actor.getSnapshot().can(recorded)) return;
    events.push(event);
    actor.send(recorded);
  };
  const by = (perform: (context: ReviewedContext) => Promise<ReviewedEvent> | ReviewedEvent) =>
    fromCallback<AnyEventObject, Input>(() => {
      const answer = async () => say(await perform(actor.getSnapshot().context));
      // An effect starts when the event that asks for it is over.
      queueMicrotask(() => void answer().catch((error: unknown) => say(aborted(error))));
    });
  const timer = fromCallback<AnyEventObject, Input>(({ input }) => {
    const name = input?.['timer'] as EventOf<'timer.fired'>['payload']['timer'];
    const ring = () => say({ type: 'timer.fired', payload: { timer: name } });
    let bell: NodeJS.Timeout | undefined;
    queueMicrotask(() => {
      const due = actor.getSnapshot().context.due[name];
      if (due) bell = setTimeout(ring, Date.parse(due) - Date.now());
    });
    return () => clearTimeout(bell);
  });

  const machine = reviewed.provide({
    actors: {
      timer,
      judge: by((context) => judged(context)),
      runAgent: by(async ({ iterations }) => {
        say({ type: 'iteration.started', payload: { iteration: iterations, startedAt: now() } });
        await workshop.attempt(iterations);
        return { type: 'child.settled', payload: { child: `attempt-${iterations}`, outcome: DONE, answer: '', spend: NO_SPEND } };
      }),
      captureWorkspace: by(async () => {
        return { type: 'workspace.captured', payload: { hash: await workshop.capture(), ref: null, changed: [] } };
      }),
      verifyWork: by(async ({ workspace }) => {
        const { passed, output } = await workshop.check();
        const check = { name: 'check', passed, output, exitCode: passed ? 0 : 1, durationMs: 0 };
        return { type: 'verification.completed', payload: { passed, workspace, levels: [{ level: 'L1', passed, checks: [check] }] } };
      }),
      askReviewer: by(async () => ({ type: 'review.given', payload: await workshop.review() })),
      summarise: by(({ iterations }) => ({ type: 'summary.written', payload: { text: `${iterations} attempts` } })),
      endStrategy: by(() => ({ type: 'strategy.ended', payload: { strategy: null, fault: null } })),
    },
  });
  const actor = createActor(machine, { input: { started: { ...started, at: now(), version: 1 } } });
  const { context } = await waitFor(actor.start(), ({ status }) => status !== 'active');
  return { outcome: context.outcome, events };
}

type Input = { readonly [reference: string]: string } | undefined;

const DONE: Outcome = { ending: 'success', verified: null, partial: false };

const aborted = (error: unknown): ReviewedEvent => ({
  type: 'abort.requested',
  payload: { cause: 'error', reason: error instanceof Error ? error.message : String(error) },
});
