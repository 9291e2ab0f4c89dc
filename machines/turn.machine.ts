import { type AnyEventObject, assign, enqueueActions, fromCallback, setup, stopChild } from 'xstate';
import type { Recorded, TurnEvent } from './events.ts';
import * as life from './life.ts';
import { addSpend, type Fault } from './outcome.ts';

export interface TurnContext extends life.Life {
  /** The newest answer of the model: where it is recorded, and how many calls it asked for. */
  readonly answer: { readonly version: number; readonly calls: number } | null;
  /** The event that declared the work finished: a text without calls, or a tool's answer. */
  readonly finished: number | null;
  /** The conversation was summarised, and the model has not answered since. */
  readonly compacted: boolean;
  /** Those of its own: what children take is part of the spend. */
  readonly steps: number;
  /** How often the provider asked for patience in this step, and how often its failures were told. */
  readonly waits: number;
  readonly retries: number;
}

/** How many waits one step may take: patience with a model and, after it, with another. */
export const MAX_WAITS_A_STEP = 60;
/** How many failures and replacements one step may tell of before nobody is asked any more. As many again may come as last words. */
export const MAX_RETRIES_A_STEP = 64;
/** How many calls of one answer may run. */
export const MAX_CALLS_A_STEP = 128;

/** Named here, performed by a host. It answers with events; it never runs while folding. */
const external = fromCallback<AnyEventObject, { readonly [reference: string]: string } | undefined>(() => {});

/** The call that a child which waits for a person, or goes on, performs. */
const childOf = ({ type, payload }: Recorded<TurnEvent>): string =>
  type === 'child.asked' || type === 'child.answered' ? `call.${payload.callId}` : '';

const unavailable = (event: Recorded<TurnEvent>): Fault => ({
  code: 'provider_unavailable',
  message: ('fault' in event.payload && event.payload.fault?.message) || 'The provider asked for patience again and again.',
});

/** Admission knows what is left. This holds whoever admits. */
const isWithin = (calls: number, { limits, spend }: TurnContext): boolean =>
  calls <= MAX_CALLS_A_STEP && (calls === 0 || limits.maxToolCalls === null || spend.toolCalls + calls <= limits.maxToolCalls);

// Over 300 lines because an editor of charts reads only literals: what two states share is written in both.
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
    captureWorkspace: external,
    verifyWork: external,
    judge: external,
    endStrategy: external,
    summarise: external,
    timer: external,
  },
  guards: {
    goesOn: ({ context, event }) =>
      life.goesOn({ context, event }) && context.spend.steps < life.mostRounds(context.limits.maxSteps, context.limits),
    ends: life.ends,
    mayWarn: life.mayWarn,
    mayWait: ({ context }) => context.waits < MAX_WAITS_A_STEP,
    mayRetry: ({ context }) => context.retries < MAX_RETRIES_A_STEP,
    mayTellOfRetry: ({ context }) => context.retries < 2 * MAX_RETRIES_A_STEP,
    fitsBudget: ({ context, event }) => event.type === 'calls.admitted' && isWithin(event.payload.run.length, context),
    isOwed: life.isOwed,
    isAsked: life.isAsked,
    isUndecided: life.isUndecided,
    nothingOwed: life.nothingOwed,
    onlyPersonsOwe: life.onlyPersonsOwe,
    childWorks: ({ context, event }) => context.pending[childOf(event)] === 'owed',
    childWaits: ({ context, event }) => context.pending[childOf(event)] === 'waiting',
    somebodyWorks: ({ context }) => !life.onlyPersonsOwe({ context }),
    hasChecks: ({ context }) => context.hasChecks,
    asksForTools: ({ context, event }) =>
      event.type === 'model.completed' && event.payload.calls.length > 0 && context.limits.maxSteps !== 0,
    finishedWithChecks: ({ context }) =>
      life.nothingOwed({ context }) && context.finished !== null && context.hasChecks,
    isChant: ({ event }) => event.type === 'model.interrupted' && event.payload.cause === 'chant',
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
    owe: assign((on, params: { actor: string }) => life.owe(on, params)),
    settle: assign((on) => life.settle(on)),
    tellCalls: enqueueActions(({ context, enqueue }) => {
      for (const actor of Object.keys(context.pending)) if (actor.startsWith('call.')) enqueue.stopChild(actor);
      enqueue.assign(life.tellAll({ context }));
    }),
    giveUp: assign(({ context, event }) => ({ pending: {}, ...life.countUsage({ context, event }) })),
    noteAbort: assign((on) => life.noteAbort(on)),
    noteDeadline: assign({ deadlinePassed: true }),
    beginRound: assign(life.beginRound),
    noteDecision: assign((on) => life.noteDecision(on)),
    noteFault: assign((on) => life.noteFault(on)),
    noteCapture: assign((on) => life.noteCapture(on)),
    noteVerification: assign((on) => life.noteVerification(on)),
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
    /** The work goes on, so what was declared finished, and checked, is so no longer. */
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
    startToWait: assign(({ context, event }) => ({ pending: { ...context.pending, [childOf(event)]: 'waiting' as const } })),
    stopToWait: assign(({ context, event }) => ({ pending: { ...context.pending, [childOf(event)]: 'owed' as const } })),
    noteRetry: assign(({ context, event }) =>
      event.type === 'model.limited' ? { waits: context.waits + 1, due: { ...context.due, retry: event.payload.retryAt } } : {},
    ),
    countRetry: assign(({ context }) => ({ retries: context.retries + 1 })),
    /** Whoever asks for patience for ever is not there. */
    noteImpatience: assign(({ event }) => ({ fault: { fault: unavailable(event), version: event.version } })),
    countWarning: assign((on) => life.countWarning(on)),
    startCalls: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'calls.admitted') return;
      const admitted = event.payload.run;
      const shares = admitted.flatMap(({ callId, share }) => (share ? [[`call.${callId}`, share] as const] : []));
      const owing = admitted.map(
        ({ callId, actor }) => [`call.${callId}`, actor === 'askPerson' ? 'asked' : 'owed'] as const,
      );
      enqueue.assign({
        pending: Object.fromEntries(owing),
        reserved: { ...context.reserved, ...Object.fromEntries(shares) },
        spend: { ...context.spend, toolCalls: context.spend.toolCalls + admitted.length },
      });
      for (const { callId, actor } of admitted) enqueue.spawnChild(actor, { id: `call.${callId}`, input: { callId } });
    }),
    /** XState keeps a spawned child until it is stopped, and every event gets slower. */
    dismissCall: enqueueActions(({ event, enqueue }) => enqueue.stopChild(life.actorOf(event) ?? '')),
  },
}).createMachine({
  id: 'turn',
  version: '1',
  description: 'A model and its tools, step by step, until the work is finished or a limit says stop.',
  context: ({ input }) => ({ ...life.born(input), answer: null, finished: null, compacted: false, steps: 0, waits: 0, retries: 0 }),
  initial: 'decide',
  invoke: { id: 'deadline', src: 'timer', input: { timer: 'deadline' } },
  on: {
    'abort.requested': {
      description: 'Whatever is under way is told to stop; its last results are awaited.',
      target: '.decide.aborting',
      actions: 'noteAbort',
    },
    'timer.fired': {
      description: 'The wall-clock limit strikes in the middle of anything.',
      guard: 'deadlineFired',
      target: '.decide.aborting',
      actions: ['holdDeadline', 'noteDeadline'],
    },
    'run.paused': { description: 'Nothing new starts until the run is resumed.', actions: 'noteFact' },
    'run.resumed': {
      description: 'The dead span before it counts for no limit.',
      actions: ['leaveOutIdle', 'restartDeadline'],
    },
    'run.steered': {
      description: 'A person says more about the task: no work is finished before the model has heard it.',
      guard: 'isUndecided',
      actions: 'noteSteering',
    },
    'warning.raised': { description: 'For people to read.', guard: 'mayWarn', actions: 'countWarning' },
  },
  states: {
    stream: {
      description: 'The model answers.',
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
          description: 'One model call is under way.',
          entry: { type: 'owe', params: { actor: 'model' } },
          invoke: { id: 'model', src: 'streamModel' },
          on: {
            'model.completed': [
              {
                description: 'The step goes on with its calls.',
                guard: 'asksForTools',
                target: '#turn.tools',
                actions: ['settle', 'countUsage', 'noteAnswer'],
              },
              {
                description: 'An answer that was ended early is no finished work.',
                guard: 'isCut',
                target: '#turn.decide',
                actions: ['settle', 'countUsage', 'noteAnswer'],
              },
              {
                description: 'An answer without calls, or with calls nobody offered, is finished work: check it.',
                guard: 'hasChecks',
                target: '#turn.verify',
                actions: ['settle', 'countUsage', 'noteAnswer'],
              },
              {
                description: 'Finished work, and no check was asked for.',
                target: '#turn.decide',
                actions: ['settle', 'countUsage', 'noteAnswer'],
              },
            ],
            'model.failed': {
              description: 'Retries did not cure it.',
              target: '#turn.decide',
              actions: ['settle', 'countUsage', 'noteFault'],
            },
            'model.interrupted': [
              {
                description: 'It was saying the same over and over: the judge is asked.',
                guard: 'isChant',
                target: '#turn.decide',
                actions: ['settle', 'countUsage'],
              },
              {
                description: 'Cut short, its spend kept: asked again as soon as the run goes on.',
                target: 'asking',
                reenter: true,
                actions: ['settle', 'countUsage'],
              },
            ],
            'model.retried': [
              { description: 'A failed try costs too.', guard: 'mayRetry', actions: ['countUsage', 'countRetry'] },
              {
                description: 'It has failed so often that nobody is asked any more.',
                target: '#turn.decide.aborting',
                actions: ['countUsage', 'countRetry', 'noteFault'],
              },
            ],
            'model.replaced': [
              { description: 'Retries did not cure it: another model answers now.', guard: 'mayRetry', actions: 'countRetry' },
              {
                description: 'It was replaced so often that nobody is asked any more.',
                target: '#turn.decide.aborting',
                actions: ['countRetry', 'noteFault'],
              },
            ],
            'model.limited': [
              {
                description: 'A rate limit is a wait, not a failure.',
                guard: 'mayWait',
                target: 'waiting',
                actions: ['settle', 'noteRetry'],
              },
              {
                description: 'It was waited for so often that nobody is asked any more.',
                target: '#turn.decide',
                actions: ['settle', 'noteImpatience'],
              },
            ],
            'context.filled': [
              {
                description: 'Full again right after it was summarised: the judge is asked.',
                guard: 'wasCompacted',
                target: '#turn.decide',
                actions: ['settle', 'countUsage'],
              },
              {
                description: 'The conversation no longer fits.',
                target: 'compacting',
                actions: ['settle', 'countUsage'],
              },
            ],
          },
        },
        waiting: {
          description: 'The provider asked for patience.',
          invoke: { id: 'retry', src: 'timer', input: { timer: 'retry' } },
          on: { 'timer.fired': { guard: 'retryFired', target: 'asking' } },
        },
        compacting: {
          description: 'The conversation is summarised so that it fits again.',
          entry: { type: 'owe', params: { actor: 'compaction' } },
          invoke: { id: 'compaction', src: 'summarise', input: { purpose: 'compaction' } },
          on: {
            'context.compacted': { target: 'asking', actions: ['settle', 'countUsage', 'noteCompaction'] },
            'effect.interrupted': {
              description: 'Cut short: begun again as soon as the run goes on.',
              guard: 'isOwed',
              target: 'compacting',
              reenter: true,
              actions: 'settle',
            },
          },
        },
      },
    },
    tools: {
      description: 'The calls of one answer, each an actor of its own.',
      initial: 'admitting',
      on: {
        'tool.completed': { guard: 'isOwed', actions: ['settle', 'noteToolAnswer', 'dismissCall'] },
        'tool.failed': { guard: 'isOwed', actions: ['settle', 'dismissCall'] },
        'tool.interrupted': {
          description: 'It may have happened: the model is told, nobody repeats it.',
          guard: 'isOwed',
          actions: ['settle', 'countUsage', 'dismissCall'],
        },
        'child.asked': {
          description: 'Work that was handed over waits for a person.',
          guard: 'childWorks',
          actions: 'startToWait',
        },
        'child.answered': {
          description: 'Work that was handed over goes on.',
          guard: 'childWaits',
          actions: 'stopToWait',
        },
        'child.settled': {
          description: 'Work that was handed over is done: what it cost is part of what this run has spent.',
          guard: 'isOwed',
          actions: ['settle', 'countChild', 'dismissCall'],
        },
        'person.answered': {
          description: 'Only a call that asks a person is answered by one.',
          guard: 'isAsked',
          actions: ['settle', 'dismissCall'],
        },
      },
      states: {
        admitting: {
          description: 'Which calls may run: a budget, a detector or a permission can refuse some.',
          invoke: { id: 'admission', src: 'admitCalls' },
          on: { 'calls.admitted': { guard: 'fitsBudget', target: 'running', actions: 'startCalls' } },
        },
        running: {
          description: 'The admitted calls run side by side.',
          always: [
            { description: 'A tool declared the work finished.', guard: 'finishedWithChecks', target: '#turn.verify' },
            { description: 'Every call has answered.', guard: 'nothingOwed', target: '#turn.decide' },
            { description: 'Only people are waited for.', guard: 'onlyPersonsOwe', target: 'awaitingPerson' },
          ],
        },
        awaitingPerson: {
          description: 'Only people owe an answer: the clock stands still.',
          entry: ['startWaiting', 'holdDeadline'],
          exit: ['leaveOutWaiting', 'restartDeadline'],
          on: {
            'run.resumed': { description: 'The wait holds the dead span: the clock stands still.', actions: 'noteFact' },
          },
          always: [
            { description: 'A tool declared the work finished.', guard: 'finishedWithChecks', target: '#turn.verify' },
            { description: 'The last answer came.', guard: 'nothingOwed', target: '#turn.decide' },
            { description: 'A child works again: so does the clock.', guard: 'somebodyWorks', target: 'running' },
          ],
        },
      },
    },
    verify: {
      description: 'The finished work is checked.',
      initial: 'capturing',
      states: {
        capturing: {
          description: 'The workspace gets a name, so that the evidence can be tied to it.',
          entry: { type: 'owe', params: { actor: 'capture' } },
          invoke: { id: 'capture', src: 'captureWorkspace' },
          on: {
            'workspace.captured': { target: 'checking', actions: ['settle', 'noteCapture'] },
            'workspace.failed': { target: '#turn.decide', actions: ['settle', 'noteFault'] },
            'effect.interrupted': {
              description: 'Cut short: begun again as soon as the run goes on.',
              guard: 'isOwed',
              target: 'capturing',
              reenter: true,
              actions: 'settle',
            },
          },
        },
        checking: {
          description: 'The levels run in order, up to the first that fails.',
          entry: { type: 'owe', params: { actor: 'checks' } },
          invoke: { id: 'checks', src: 'verifyWork' },
          on: {
            'verification.completed': { target: '#turn.decide', actions: ['settle', 'noteVerification'] },
            'effect.interrupted': {
              description: 'Cut short: begun again as soon as the run goes on.',
              guard: 'isOwed',
              target: 'checking',
              reenter: true,
              actions: 'settle',
            },
          },
        },
      },
    },
    decide: {
      description: 'Go on, or end, and why.',
      initial: 'judging',
      states: {
        judging: {
          description: 'Detectors, budgets and caps are asked; their verdict is recorded.',
          invoke: { id: 'judge', src: 'judge' },
          on: {
            'decision.made': [
              { description: 'Another step.', guard: 'goesOn', target: '#turn.stream', actions: 'beginRound' },
              { description: 'The run ends, as the decision says.', guard: 'ends', target: 'ending', actions: 'noteDecision' },
            ],
            'run.continued': {
              description: 'A continuation asks the judge again, under other limits.',
              target: 'judging',
              reenter: true,
              actions: ['continueUnder', 'restartDeadline'],
            },
          },
        },
        aborting: {
          description: 'What was told to stop answers, or the grace runs out.',
          entry: ['tellCalls', 'startGrace'],
          invoke: { id: 'grace', src: 'timer', input: { timer: 'grace' } },
          always: { guard: 'nothingOwed', target: 'judging' },
          on: {
            'abort.requested': { description: 'A second abort buys no more grace.', actions: 'noteAbort' },
            'timer.fired': [
              {
                description: 'Who has not answered by now is waited for no longer.',
                guard: 'graceFired',
                target: 'judging',
                actions: 'giveUp',
              },
              {
                description: 'The deadline buys no more grace either.',
                guard: 'deadlineFired',
                actions: ['holdDeadline', 'noteDeadline'],
              },
            ],
            'model.completed': { guard: 'isOwed', actions: ['settle', 'countUsage', 'noteAnswer'] },
            'model.failed': { guard: 'isOwed', actions: ['settle', 'countUsage'] },
            'model.interrupted': { guard: 'isOwed', actions: ['settle', 'countUsage'] },
            'model.limited': { guard: 'isOwed', actions: 'settle' },
            'model.retried': { guard: 'mayTellOfRetry', actions: ['countUsage', 'countRetry'] },
            'context.filled': { guard: 'isOwed', actions: ['settle', 'countUsage'] },
            'context.compacted': { guard: 'isOwed', actions: ['settle', 'countUsage'] },
            'tool.completed': { guard: 'isOwed', actions: ['settle', 'noteToolAnswer'] },
            'tool.failed': { guard: 'isOwed', actions: 'settle' },
            'tool.interrupted': { guard: 'isOwed', actions: ['settle', 'countUsage'] },
            'child.settled': { guard: 'isOwed', actions: ['settle', 'countChild'] },
            'person.answered': { guard: 'isOwed', actions: 'settle' },
            'workspace.captured': { guard: 'isOwed', actions: ['settle', 'noteCapture'] },
            'workspace.failed': { guard: 'isOwed', actions: 'settle' },
            'verification.completed': { guard: 'isOwed', actions: ['settle', 'noteVerification'] },
            'effect.interrupted': { guard: 'isOwed', actions: 'settle' },
          },
        },
        ending: {
          description: 'Last words, under a time limit. Nothing changes the verdict now.',
          initial: 'summarising',
          entry: 'startEnding',
          invoke: { id: 'ending', src: 'timer', input: { timer: 'ending' } },
          on: {
            'abort.requested': { description: 'Too late: the verdict stands.' },
            'timer.fired': [
              { description: 'Nobody is waited for any longer.', guard: 'endingFired', target: '.ended' },
              { description: 'No other clock changes the verdict.' },
            ],
          },
          states: {
            summarising: {
              description: 'What was reached and which limit was hit, in words.',
              invoke: { id: 'summary', src: 'summarise', input: { purpose: 'ending' } },
              on: { 'summary.written': { target: 'farewell', actions: ['settle', 'countUsage'] } },
            },
            farewell: {
              description: 'The strategy hears how it ended.',
              invoke: { id: 'strategy', src: 'endStrategy' },
              on: { 'strategy.ended': { target: 'ended', actions: 'noteFact' } },
            },
            ended: {
              description: 'Leads to the ending that the decision named.',
              always: [
                { description: 'The work is done.', guard: 'endsInSuccess', target: '#turn.success' },
                { description: 'A cap was reached.', guard: 'endsInCapHit', target: '#turn.cap_hit' },
                { description: 'It went in circles.', guard: 'endsInDoomLoop', target: '#turn.doom_loop' },
                { description: 'A budget ran out.', guard: 'endsInBudget', target: '#turn.budget' },
                { description: 'It was stopped.', guard: 'endsInAbort', target: '#turn.abort' },
              ],
            },
          },
        },
      },
    },
    success: { description: 'Finished; verified where checks were asked for.', type: 'final' },
    cap_hit: { description: 'Steps or wall time ran out.', type: 'final' },
    doom_loop: { description: 'The loop repeated itself.', type: 'final' },
    budget: { description: 'Tool calls or tokens ran out.', type: 'final' },
    abort: { description: 'A person, a signal or an uncured error.', type: 'final' },
  },
});
