// The turn: a model and its tools, step by step.
//
// A run begins in `decide`, and comes back to it after each step. The judge's decision is recorded, and begins another
// step or ends the run. `stream` asks the model: for as long as the provider limits the rate it waits, and a
// conversation that no longer fits is summarised first. An answer with calls leads to `tools`, which admits the calls,
// runs them side by side, and stops the clock while only users have to answer. An answer without calls is finished
// work: `verify` captures the workspace and runs the checks. An abort or the deadline leads from any state to
// `decide.aborting`, which cancels what is pending and waits for the results until the grace runs out. `decide.ending`
// writes the summary and tells the strategy; one of five endings follows, as the decision said. Nothing here acts:
// invoked actors are names that the host executes, guards and actions read only the context and the recorded event.
//
// Over 300 lines because editors of charts read only literals: each state is written out.
import { type AnyEventObject, assign, enqueueActions, fromCallback, setup, stopChild } from 'xstate';
import type { Recorded, TurnEvent } from './events.ts';
import { MAX_AGENT_EVENTS_A_STEP } from './agent-report.ts';
import * as life from './life.ts';
import { addSpend, type Fault } from './outcome.ts';

export interface TurnContext extends life.Life {
  /** The newest answer of the model: its version in the log, and how many calls it asked for. */
  readonly answer: { readonly version: number; readonly calls: number } | null;
  /** The version of the event that declared the work finished: a text without calls, or a tool's answer. */
  readonly finished: number | null;
  /** The conversation was summarised, and no answer was recorded since. */
  readonly compacted: boolean;
  /** Its own steps: those of children are part of the spend. */
  readonly steps: number;
  /** How many rate limits, and how many failures and replacements, were recorded in this step. */
  readonly waits: number;
  readonly retries: number;
  /** How many events of this step told what an agent of others does. */
  readonly reports: number;
}

/** How many rate-limit waits one step may have, over all its models. */
export const MAX_WAITS_A_STEP = 60;
/**
 * How many failures and replacements one step may have before no model is asked any more. As many again are accepted
 * while it is cancelled.
 */
export const MAX_RETRIES_A_STEP = 64;
/** How many calls of one answer may run. */
export const MAX_CALLS_A_STEP = 128;

/** How many answers in a row may do nothing: the model is asked again after each, and not after the last. */
export const MAX_IDLE_ANSWERS = 3;

/** The most steps of a turn. One of zero steps has a step for its answer, and for each time it is asked again. */
export const mostSteps = ({ limits }: Pick<TurnContext, 'limits'>): number =>
  life.mostRounds(limits.maxSteps === 0 ? MAX_IDLE_ANSWERS : limits.maxSteps, limits);

/** A name for an effect that the host executes. Its results are events; folding never runs it. */
const external = fromCallback<AnyEventObject, { readonly [reference: string]: string } | undefined>(() => {});

/** The id of the call whose child run waits for a user, or continues. */
const childOf = ({ type, payload }: Recorded<TurnEvent>): string =>
  type === 'child.asked' || type === 'child.answered' ? `call.${payload.callId}` : '';

const unavailable = (event: Recorded<TurnEvent>): Fault => ({
  code: 'provider_unavailable',
  message:
    ('fault' in event.payload && event.payload.fault?.message) ||
    // Recorded runs fold to this text: it changes with the machine's version only.
    'The provider asked for patience again and again.',
});

/** Holds the limits even if the admission is wrong. */
const isWithin = (calls: number, { limits, spend }: TurnContext): boolean =>
  calls <= MAX_CALLS_A_STEP &&
  (calls === 0 || limits.maxToolCalls === null || spend.toolCalls + calls <= limits.maxToolCalls);

export const turn = setup({
  types: {
    context: {} as TurnContext,
    events: {} as Recorded<TurnEvent>,
    input: {} as life.Opening | undefined,
  },
  actors: {
    streamModel: external,
    admitCalls: external,
    runTool: external,
    runAgent: external,
    askPerson: external,
    askForServer: external,
    captureWorkspace: external,
    takeBaseline: external,
    verifyWork: external,
    askAboutGrounds: external,
    judge: external,
    endStrategy: external,
    summarise: external,
    timer: external,
  },
  guards: {
    goesOn: ({ context, event }) => life.goesOn({ context, event }) && context.spend.steps < mostSteps(context),
    needsBaseline: life.needsBaseline,
    ends: life.ends,
    mayWarn: life.mayWarn,
    mayWait: ({ context }) => context.waits < MAX_WAITS_A_STEP,
    mayRetry: ({ context }) => context.retries < MAX_RETRIES_A_STEP,
    mayReportRetry: ({ context }) => context.retries < 2 * MAX_RETRIES_A_STEP,
    mayReportWork: ({ context }) => 'model' in context.pending && context.reports < MAX_AGENT_EVENTS_A_STEP,
    fitsBudget: ({ context, event }) => event.type === 'calls.admitted' && isWithin(event.payload.run.length, context),
    isPending: life.isPending,
    isAsked: life.isAsked,
    isUndecided: life.isUndecided,
    isDisputed: life.isDisputed,
    isThatDispute: life.isThatDispute,
    nothingPending: life.nothingPending,
    onlyPersonsPending: life.onlyPersonsPending,
    childWorks: ({ context, event }) => context.pending[childOf(event)] === 'owed',
    childWaits: ({ context, event }) => context.pending[childOf(event)] === 'waiting',
    workContinues: ({ context }) => !life.onlyPersonsPending({ context }),
    hasChecks: ({ context }) => context.hasChecks,
    asksForTools: ({ context, event }) =>
      event.type === 'model.completed' && event.payload.calls.length > 0 && context.limits.maxSteps !== 0,
    finishedWithChecks: ({ context }) =>
      life.nothingPending({ context }) && context.finished !== null && context.hasChecks,
    isRepetition: ({ event }) => event.type === 'model.interrupted' && event.payload.cause === 'chant',
    isCut: ({ event }) => event.type === 'model.completed' && event.payload.cut !== undefined,
    wasCompacted: ({ context }) => context.compacted,
    isNextStep: ({ context, event }) =>
      context.isBeginning && event.type === 'step.started' && event.payload.step === context.steps,
    deadlineFired: life.firedBy('deadline'),
    graceFired: life.firedBy('grace'),
    endingFired: life.firedBy('ending'),
    retryFired: life.firedBy('retry'),
    endsInSuccess: life.endsIn('success'),
    endsInCapHit: life.endsIn('cap_hit'),
    endsInDoomLoop: life.endsIn('doom_loop'),
    endsInBudget: life.endsIn('budget'),
    endsInAbort: life.endsIn('abort'),
  },
  actions: {
    awaitResult: assign((on, params: { actor: string }) => life.awaitResult(on, params)),
    ask: assign((on, params: { actor: string }) => life.ask(on, params)),
    complete: assign((on) => life.complete(on)),
    cancelPending: enqueueActions(({ context, enqueue }) => {
      for (const actor of Object.keys(context.pending))
        if (actor.startsWith('call.') || actor.startsWith('server.')) enqueue.stopChild(actor);
      enqueue.assign(life.cancelAll({ context }));
    }),
    giveUp: assign(({ context, event }) => ({ pending: {}, ...life.countUsage({ context, event }) })),
    noteAbort: assign((on) => life.noteAbort(on)),
    noteDeadline: assign({ deadlinePassed: true }),
    beginRound: assign((on) => life.beginRound(on)),
    noteDecision: assign((on) => life.noteDecision(on)),
    noteFault: assign((on) => life.noteFault(on)),
    noteCapture: assign((on) => life.noteCapture(on)),
    startBaseline: assign(life.startBaseline),
    noteBaseline: assign((on) => life.noteBaseline(on)),
    noteVerification: assign((on) => life.noteVerification(on)),
    noteRuling: assign((on) => life.noteRuling(on)),
    noteFact: assign(() => ({})),
    continueUnder: assign((on) => life.continueUnder(on)),
    leaveOutIdle: assign((on) => life.leaveOutIdle(on)),
    leaveOutWaiting: assign((on) => life.leaveOutWaiting(on)),
    startWaiting: assign((on) => life.startWaiting(on)),
    startGrace: assign((on) => life.startGrace(on)),
    startEnding: assign((on) => life.startEnding(on)),
    holdDeadline: stopChild('deadline'),
    restartDeadline: enqueueActions(({ context, enqueue }) => {
      if (context.deadlinePassed) return;
      enqueue.stopChild('deadline');
      enqueue.spawnChild('timer', { id: 'deadline', input: { timer: 'deadline' } });
    }),
    /** Another step changes the work, so it is neither finished nor verified any more. */
    countStep: assign(({ context, event }) => ({
      ...life.reserveFor(context, 'model', event.type === 'step.started' ? event.payload.reserved : undefined),
      spend: { ...context.spend, steps: context.spend.steps + 1 },
      steps: context.steps + 1,
      finished: null,
      compacted: false,
      verification: null,
      isBeginning: false,
      warnings: 0,
      waits: 0,
      retries: 0,
      reports: 0,
      steered: null,
    })),
    noteSteering: assign((on) => life.noteSteering(on)),
    noteCompaction: assign({ compacted: true }),
    countUsage: assign((on) => life.countUsage(on)),
    noteAnswer: assign(({ context, event }) => {
      if (event.type !== 'model.completed') return {};
      const answer = { version: event.version, calls: event.payload.calls.length };
      const isFinal = event.payload.cut === undefined && (answer.calls === 0 || context.limits.maxSteps === 0);
      return { answer, finished: isFinal ? event.version : null, compacted: false };
    }),
    noteToolAnswer: assign(({ event }) =>
      event.type === 'tool.completed' && event.payload.answer !== undefined ? { finished: event.version } : {},
    ),
    countChild: assign(({ context, event }) =>
      event.type === 'child.settled' ? { spend: addSpend(context.spend, event.payload.spend) } : {},
    ),
    markChildWaiting: assign(({ context, event }) => ({
      pending: { ...context.pending, [childOf(event)]: 'waiting' as const },
    })),
    markChildRunning: assign(({ context, event }) => ({
      pending: { ...context.pending, [childOf(event)]: 'owed' as const },
    })),
    noteRetry: assign(({ context, event }) =>
      event.type === 'model.limited'
        ? { waits: context.waits + 1, due: { ...context.due, retry: event.payload.retryAt } }
        : {},
    ),
    countRetry: assign(({ context }) => ({ retries: context.retries + 1 })),
    countReport: assign(({ context }) => ({ reports: context.reports + 1 })),
    /** A provider that limits the rate without end counts as unavailable. */
    noteUnavailable: assign(({ event }) => ({ fault: { fault: unavailable(event), version: event.version } })),
    countWarning: assign((on) => life.countWarning(on)),
    startCalls: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'calls.admitted') return;
      const admitted = event.payload.run;
      const shares = admitted.flatMap(({ callId, share }) => (share ? [[`call.${callId}`, share] as const] : []));
      const pending = admitted.map(
        ({ callId, actor }) => [`call.${callId}`, actor === 'askPerson' ? 'asked' : 'owed'] as const,
      );
      enqueue.assign({
        pending: Object.fromEntries(pending),
        reserved: { ...context.reserved, ...Object.fromEntries(shares) },
        spend: { ...context.spend, toolCalls: context.spend.toolCalls + admitted.length },
      });
      // The definition of the loop refuses a name that it does not have, before anything is recorded.
      for (const { callId, actor } of admitted)
        enqueue.spawnChild(actor as 'runTool', { id: `call.${callId}`, input: { callId } });
    }),
    /** The question takes the place of the call, which has ended or waits for its answer. */
    askForServer: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'server.asked') return;
      const { callId } = event.payload;
      const { [`call.${callId}`]: _, ...others } = context.pending;
      enqueue.stopChild(`call.${callId}`);
      enqueue.assign({ pending: { ...others, [`server.${callId}`]: 'asked' } });
      enqueue.spawnChild('askForServer', { id: `server.${callId}`, input: { callId } });
    }),
    askServerAgain: enqueueActions(({ context, event, enqueue }) => {
      const actor = life.actorOf(event) ?? '';
      enqueue.stopChild(actor);
      enqueue.assign({ pending: { ...context.pending, [actor]: 'asked' } });
      enqueue.spawnChild('askForServer', { id: actor, input: { callId: actor.slice('server.'.length) } });
    }),
    /** The call continues with the answer. */
    callWithAnswer: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'server.answered') return;
      const { callId } = event.payload;
      const { [`server.${callId}`]: _, ...others } = context.pending;
      enqueue.stopChild(`server.${callId}`);
      enqueue.assign({ pending: { ...others, [`call.${callId}`]: 'owed' } });
      enqueue.spawnChild('runTool', { id: `call.${callId}`, input: { callId } });
    }),
    /** XState keeps a spawned child until it is stopped, and each one makes every event slower. */
    dismissCall: enqueueActions(({ event, enqueue }) => enqueue.stopChild(life.actorOf(event) ?? '')),
  },
}).createMachine({
  id: 'turn',
  version: '1',
  description: 'A model and its tools, step by step, until the work is finished or a limit says stop.',
  context: ({ input }) => ({
    ...life.born(input),
    answer: null,
    finished: null,
    compacted: false,
    steps: 0,
    waits: 0,
    retries: 0,
    reports: 0,
  }),
  initial: 'decide',
  invoke: { id: 'deadline', src: 'timer', input: { timer: 'deadline' } },
  on: {
    // shared by all loops: transitions of every state
    'abort.requested': {
      description: 'Running effects are cancelled; their final results are awaited.',
      target: '.decide.aborting',
      actions: 'noteAbort',
    },
    'timer.fired': {
      description: 'The wall-clock limit is reached, in any state.',
      guard: 'deadlineFired',
      target: '.decide.aborting',
      actions: ['holdDeadline', 'noteDeadline'],
    },
    'run.paused': { description: 'Nothing new starts until the run is resumed.', actions: 'noteFact' },
    'run.resumed': {
      description: 'The idle time before it counts towards no limit.',
      actions: ['leaveOutIdle', 'restartDeadline'],
    },
    'run.steered': {
      description: 'A user adds to the task: no work is finished before the next prompt contains it.',
      guard: 'isUndecided',
      actions: 'noteSteering',
    },
    'warning.raised': {
      description: 'A warning for users; no decision rests on it.',
      guard: 'mayWarn',
      actions: 'countWarning',
    },
    // end of shared
  },
  states: {
    stream: {
      description: 'Asks the model for an answer.',
      initial: 'asking',
      on: {
        'step.started': {
          description: 'Recorded together with the decision that started the step.',
          guard: 'isNextStep',
          actions: 'countStep',
        },
      },
      states: {
        asking: {
          description: 'Waits for one answer of the model.',
          entry: { type: 'awaitResult', params: { actor: 'model' } },
          invoke: { id: 'model', src: 'streamModel' },
          on: {
            'model.completed': [
              {
                description: 'The step continues with the calls of the answer.',
                guard: 'asksForTools',
                target: '#turn.tools',
                actions: ['complete', 'countUsage', 'noteAnswer'],
              },
              {
                description: 'An answer that was cut off, or did nothing, is not finished work.',
                guard: 'isCut',
                target: '#turn.decide',
                actions: ['complete', 'countUsage', 'noteAnswer'],
              },
              {
                description: 'An answer without calls that may run is finished work: check it.',
                guard: 'hasChecks',
                target: '#turn.verify',
                actions: ['complete', 'countUsage', 'noteAnswer'],
              },
              {
                description: 'Finished work, and no checks are configured.',
                target: '#turn.decide',
                actions: ['complete', 'countUsage', 'noteAnswer'],
              },
            ],
            'model.failed': {
              description: 'Retries did not help.',
              target: '#turn.decide',
              actions: ['complete', 'countUsage', 'noteFault'],
            },
            'model.interrupted': [
              {
                description: 'The model repeated itself: the judge decides.',
                guard: 'isRepetition',
                target: '#turn.decide',
                actions: ['complete', 'countUsage'],
              },
              {
                description: 'Interrupted: its usage counts, and it is asked again when the run continues.',
                target: 'asking',
                reenter: true,
                actions: ['complete', 'countUsage'],
              },
            ],
            'model.retried': [
              {
                description: 'The usage of a failed request counts too.',
                guard: 'mayRetry',
                actions: ['countUsage', 'countRetry'],
              },
              {
                description: 'Too many failures in one step: no model is asked any more.',
                target: '#turn.decide.aborting',
                actions: ['countUsage', 'countRetry', 'noteFault'],
              },
            ],
            'model.replaced': [
              {
                description: 'Retries did not help: another model is asked now.',
                guard: 'mayRetry',
                actions: 'countRetry',
              },
              {
                description: 'Too many replacements in one step: no model is asked any more.',
                target: '#turn.decide.aborting',
                actions: ['countRetry', 'noteFault'],
              },
            ],
            'agent.worked': {
              description: 'An agent of others tells what it does; too much in one step is refused.',
              guard: 'mayReportWork',
              actions: 'countReport',
            },
            'model.limited': [
              {
                description: 'A rate limit is a wait, not a failure.',
                guard: 'mayWait',
                target: 'waiting',
                actions: ['complete', 'noteRetry'],
              },
              {
                description: 'Too many waits in one step: no model is asked any more.',
                target: '#turn.decide',
                actions: ['complete', 'noteUnavailable'],
              },
            ],
            'context.filled': [
              {
                description: 'Full again right after it was summarised: the judge decides.',
                guard: 'wasCompacted',
                target: '#turn.decide',
                actions: ['complete', 'countUsage'],
              },
              {
                description: 'The conversation no longer fits.',
                target: 'compacting',
                actions: ['complete', 'countUsage'],
              },
            ],
          },
        },
        waiting: {
          description: 'Waits until the provider takes requests again.',
          invoke: { id: 'retry', src: 'timer', input: { timer: 'retry' } },
          on: { 'timer.fired': { guard: 'retryFired', target: 'asking' } },
        },
        compacting: {
          description: 'Summarises the conversation, so that it fits again.',
          entry: { type: 'awaitResult', params: { actor: 'compaction' } },
          invoke: { id: 'compaction', src: 'summarise', input: { purpose: 'compaction' } },
          on: {
            'context.compacted': { target: 'asking', actions: ['complete', 'countUsage', 'noteCompaction'] },
            'effect.interrupted': {
              description: 'Interrupted: started again when the run continues.',
              guard: 'isPending',
              target: 'compacting',
              reenter: true,
              actions: ['complete', 'countUsage'],
            },
          },
        },
      },
    },
    tools: {
      description: 'Runs the calls of one answer, each as an actor of its own.',
      initial: 'admitting',
      on: {
        'tool.completed': { guard: 'isPending', actions: ['complete', 'noteToolAnswer', 'dismissCall'] },
        'tool.failed': { guard: 'isPending', actions: ['complete', 'dismissCall'] },
        'tool.interrupted': {
          description: 'The call may have taken effect: the model is told, and it is not repeated.',
          guard: 'isPending',
          actions: ['complete', 'countUsage', 'dismissCall'],
        },
        'child.asked': {
          description: 'A delegated task waits for a user.',
          guard: 'childWorks',
          actions: 'markChildWaiting',
        },
        'child.answered': {
          description: 'A delegated task continues.',
          guard: 'childWaits',
          actions: 'markChildRunning',
        },
        'child.settled': {
          description: 'A delegated task is done: its cost is part of what this run has spent.',
          guard: 'isPending',
          actions: ['complete', 'countChild', 'dismissCall'],
        },
        'person.answered': {
          description: 'A user answers a call only if it asks one.',
          guard: 'isAsked',
          actions: ['complete', 'dismissCall'],
        },
        'server.asked': {
          description: 'The server of a tool asks a user before its call can go on.',
          guard: 'isPending',
          actions: 'askForServer',
        },
        'server.answered': {
          description: 'The call continues with the answer.',
          guard: 'isAsked',
          actions: 'callWithAnswer',
        },
        'effect.interrupted': {
          description: 'The question of a server was interrupted: it is asked again when the run continues.',
          guard: 'isAsked',
          actions: 'askServerAgain',
        },
      },
      states: {
        admitting: {
          description: 'Decides which calls may run: a budget, a detector or a permission can refuse some.',
          invoke: { id: 'admission', src: 'admitCalls' },
          on: { 'calls.admitted': { guard: 'fitsBudget', target: 'running', actions: 'startCalls' } },
        },
        running: {
          description: 'The admitted calls run side by side.',
          always: [
            { description: 'A tool declared the work finished.', guard: 'finishedWithChecks', target: '#turn.verify' },
            { description: 'Every call has a result.', guard: 'nothingPending', target: '#turn.decide' },
            {
              description: 'Only answers of users are pending.',
              guard: 'onlyPersonsPending',
              target: 'awaitingPerson',
            },
          ],
        },
        awaitingPerson: {
          description: 'Only answers of users are pending: the clock stands still.',
          entry: ['startWaiting', 'holdDeadline'],
          exit: ['leaveOutWaiting', 'restartDeadline'],
          on: {
            'run.resumed': {
              description: 'The idle time is part of the wait: the clock stands still.',
              actions: 'noteFact',
            },
          },
          always: [
            { description: 'A tool declared the work finished.', guard: 'finishedWithChecks', target: '#turn.verify' },
            { description: 'The last result has arrived.', guard: 'nothingPending', target: '#turn.decide' },
            {
              description: 'A child run works again: the clock runs again.',
              guard: 'workContinues',
              target: 'running',
            },
          ],
        },
      },
    },
    verify: {
      description: 'Checks the finished work.',
      initial: 'capturing',
      states: {
        // shared by all loops: verify.baseline
        baseline: {
          description: 'Runs all checks on the tree that the run begins with.',
          entry: { type: 'awaitResult', params: { actor: 'checks' } },
          invoke: { id: 'checks', src: 'takeBaseline' },
          on: {
            'baseline.taken': { target: '#turn.decide', actions: ['complete', 'noteBaseline'] },
            'effect.interrupted': {
              description: 'Interrupted: started again when the run continues.',
              guard: 'isPending',
              target: 'baseline',
              reenter: true,
              actions: 'complete',
            },
          },
        },
        // end of shared
        capturing: {
          description: 'Captures the workspace by its hash, which ties the evidence to it.',
          entry: { type: 'awaitResult', params: { actor: 'capture' } },
          invoke: { id: 'capture', src: 'captureWorkspace' },
          on: {
            'workspace.captured': { target: 'checking', actions: ['complete', 'noteCapture'] },
            'workspace.failed': { target: '#turn.decide', actions: ['complete', 'noteFault'] },
            'effect.interrupted': {
              description: 'Interrupted: started again when the run continues.',
              guard: 'isPending',
              target: 'capturing',
              reenter: true,
              actions: 'complete',
            },
          },
        },
        checking: {
          description: 'Runs the levels of checks in order, up to the first that fails.',
          entry: { type: 'awaitResult', params: { actor: 'checks' } },
          invoke: { id: 'checks', src: 'verifyWork' },
          on: {
            'verification.completed': [
              {
                description: 'What the work changed of its tests or configuration decides: a person is asked.',
                guard: 'isDisputed',
                target: 'disputed',
                actions: ['complete', 'noteVerification'],
              },
              { description: 'The judge decides.', target: '#turn.decide', actions: ['complete', 'noteVerification'] },
            ],
            'effect.interrupted': {
              description: 'Interrupted: started again when the run continues.',
              guard: 'isPending',
              target: 'checking',
              reenter: true,
              actions: 'complete',
            },
          },
        },
        // shared by all loops: verify.disputed
        disputed: {
          description: 'A person decides whether changed tests and configuration count: the clock stands still.',
          entry: [{ type: 'ask', params: { actor: 'groundsRuling' } }, 'startWaiting', 'holdDeadline'],
          exit: ['leaveOutWaiting', 'restartDeadline'],
          invoke: { id: 'groundsRuling', src: 'askAboutGrounds' },
          on: {
            'grounds.approved': {
              description: 'Exactly these changes count: the work is checked with them.',
              guard: 'isThatDispute',
              target: 'checking',
              actions: ['complete', 'noteRuling'],
            },
            'grounds.denied': {
              description: 'They do not count: the checks say so to the next round.',
              guard: 'isThatDispute',
              target: 'checking',
              actions: ['complete', 'noteRuling'],
            },
            'run.resumed': {
              description: 'The idle time is part of the wait: the clock stands still.',
              actions: 'noteFact',
            },
            'effect.interrupted': {
              description: 'Interrupted: asked again when the run continues.',
              guard: 'isPending',
              target: 'disputed',
              reenter: true,
              actions: 'complete',
            },
          },
        },
        // end of shared
      },
    },
    decide: {
      // shared by all loops: decide
      description: 'Decides whether the run continues or ends, and why.',
      initial: 'judging',
      states: {
        judging: {
          description: 'Asks the judge. Its decision is recorded.',
          invoke: { id: 'judge', src: 'judge' },
          on: {
            'decision.made': [
              {
                description: 'Before the first round, the checks run on what the run begins with.',
                guard: 'needsBaseline',
                target: '#turn.verify.baseline',
                actions: 'startBaseline',
              },
              { description: 'Another round.', guard: 'goesOn', target: '#turn.stream', actions: 'beginRound' },
              {
                description: 'The run ends, as the decision says.',
                guard: 'ends',
                target: 'ending',
                actions: 'noteDecision',
              },
            ],
            'run.continued': {
              description: 'A continuation asks the judge again, under other limits.',
              target: 'judging',
              reenter: true,
              actions: ['continueUnder', 'restartDeadline'],
            },
          },
        },
        // end of shared
        // shared by all loops: decide.aborting
        aborting: {
          description: 'Waits for the results of cancelled effects, until the grace runs out.',
          entry: ['cancelPending', 'startGrace'],
          invoke: { id: 'grace', src: 'timer', input: { timer: 'grace' } },
          always: { guard: 'nothingPending', target: 'judging' },
          on: {
            'abort.requested': { description: 'A second abort gives no further grace.', actions: 'noteAbort' },
            'timer.fired': [
              {
                description: 'The grace is over: results that are still pending are given up.',
                guard: 'graceFired',
                target: 'judging',
                actions: 'giveUp',
              },
              {
                description: 'The deadline gives no further grace either.',
                guard: 'deadlineFired',
                actions: ['holdDeadline', 'noteDeadline'],
              },
            ],
            // end of shared
            'model.completed': { guard: 'isPending', actions: ['complete', 'countUsage', 'noteAnswer'] },
            'model.failed': { guard: 'isPending', actions: ['complete', 'countUsage'] },
            'model.interrupted': { guard: 'isPending', actions: ['complete', 'countUsage'] },
            'model.limited': { guard: 'isPending', actions: 'complete' },
            'model.retried': { guard: 'mayReportRetry', actions: ['countUsage', 'countRetry'] },
            'agent.worked': { guard: 'mayReportWork', actions: 'countReport' },
            'context.filled': { guard: 'isPending', actions: ['complete', 'countUsage'] },
            'context.compacted': { guard: 'isPending', actions: ['complete', 'countUsage'] },
            'tool.completed': { guard: 'isPending', actions: ['complete', 'noteToolAnswer'] },
            'tool.failed': { guard: 'isPending', actions: 'complete' },
            'tool.interrupted': { guard: 'isPending', actions: ['complete', 'countUsage'] },
            'child.settled': { guard: 'isPending', actions: ['complete', 'countChild'] },
            'person.answered': { guard: 'isPending', actions: 'complete' },
            'server.answered': { guard: 'isPending', actions: 'complete' },
            'workspace.captured': { guard: 'isPending', actions: ['complete', 'noteCapture'] },
            'workspace.failed': { guard: 'isPending', actions: 'complete' },
            'baseline.taken': { guard: 'isPending', actions: ['complete', 'noteBaseline'] },
            'verification.completed': { guard: 'isPending', actions: ['complete', 'noteVerification'] },
            'effect.interrupted': { guard: 'isPending', actions: ['complete', 'countUsage'] },
          },
        },
        // shared by all loops: decide.ending
        ending: {
          description: 'The summary and the end of the strategy, under a time limit. The decision stands.',
          initial: 'summarising',
          entry: 'startEnding',
          invoke: { id: 'ending', src: 'timer', input: { timer: 'ending' } },
          on: {
            'abort.requested': { description: 'Too late: the decision stands.' },
            'timer.fired': [
              {
                description: 'The time is over: pending results are given up.',
                guard: 'endingFired',
                target: '.ended',
              },
              { description: 'No other timer changes the decision.' },
            ],
          },
          states: {
            summarising: {
              description: 'Writes a summary: what was reached, and which limit ended the run.',
              invoke: { id: 'summary', src: 'summarise', input: { purpose: 'ending' } },
              on: { 'summary.written': { target: 'farewell', actions: ['complete', 'countUsage'] } },
            },
            // end of shared
            farewell: {
              description: 'The strategy is told how the run ended.',
              invoke: { id: 'strategy', src: 'endStrategy' },
              on: { 'strategy.ended': { target: 'ended', actions: 'noteFact' } },
            },
            // shared by all loops: decide.ending.ended
            ended: {
              description: 'Enters the ending that the decision named.',
              always: [
                { description: 'The work is done.', guard: 'endsInSuccess', target: '#turn.success' },
                { description: 'A cap was reached.', guard: 'endsInCapHit', target: '#turn.cap_hit' },
                { description: 'The loop repeated itself.', guard: 'endsInDoomLoop', target: '#turn.doom_loop' },
                { description: 'A budget ran out.', guard: 'endsInBudget', target: '#turn.budget' },
                { description: 'The run was aborted.', guard: 'endsInAbort', target: '#turn.abort' },
              ],
            },
          },
        },
        // end of shared
      },
    },
    success: { description: 'Finished, and verified if checks are configured.', type: 'final' },
    cap_hit: { description: 'Steps or wall time ran out.', type: 'final' },
    doom_loop: { description: 'The loop repeated itself.', type: 'final' },
    budget: { description: 'Tool calls or tokens ran out.', type: 'final' },
    abort: { description: 'Stopped by a user, a signal or an error.', type: 'final' },
  },
});
