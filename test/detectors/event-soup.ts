import type { LoopEvent, ToolCall } from '../../machines/events.ts';
import { Ending } from '../../machines/outcome.ts';
import type { LoggedEvent } from '../../src/detectors/detector.ts';
import { delegationSignature } from '../../src/detectors/handoff-cycle.ts';
import type { TraitsOf } from '../../src/detectors/traits.ts';
import * as has from '../support/facts.ts';
import { fc } from '../support/fast-check.ts';

/** Any facts in any order, also those that no machine would accept: few different ones, so that much repeats. */

const RUN = 'run-1';
const USAGE = { inputTokens: 10, outputTokens: 1 };
const CHANT = 'I will look at the file again, and again, and again. ';

const handoffOf = (given: ToolCall['arguments']) => {
  if (typeof given !== 'object' || given === null) throw new TypeError('no task');
  return { agent: String(Reflect.get(given, 'agent')), task: String(Reflect.get(given, 'task')) };
};

/** One tool of every kind. */
export const soupTraits: TraitsOf = (tool) => {
  switch (tool) {
    case 'ask':
      return { identity: 'exempt' };
    case 'poll':
      return { polling: true };
    case 'find':
      return { identity: ['what'] };
    case 'odd':
      return { identity: (given) => (given as { deep: { er: null } }).deep.er };
    case 'delegate':
      return { handoff: handoffOf };
    default:
      return {};
  }
};

const call = fc.record({
  tool: fc.constantFrom('read', 'read', 'edit', 'write', 'ask', 'poll', 'find', 'odd', 'delegate'),
  arguments: fc.constantFrom<ToolCall['arguments'][]>(
    { path: 'a', limit: 1 },
    { limit: 1, path: 'a' },
    { path: 'a', oldText: 'x', newText: 'y' },
    { path: 'a', content: 'y' },
    { agent: 'mender', task: 'mend the clock' },
    { what: 'x', page: 2 },
    null,
    [],
    'text',
  ),
});
const text = fc.constantFrom('', 'Still at it.', CHANT, CHANT.repeat(40), '```\ncode\n```', '- one\n- two\n- three');
const output = fc.constantFrom('', 'ok', 'took 12 ms', 'took 7 ms', 'error at /tmp/a.ts:12', '<<'.repeat(50));
const callId = fc.constantFrom('0.0', '0.1', '0.2');

const answered = fc
  .record({ calls: fc.array(call, { maxLength: 4 }), text, cut: fc.constantFrom(undefined, 'length' as const) })
  .map(({ calls, cut, ...rest }): LoopEvent => ({
    type: 'model.completed',
    payload: {
      ...rest,
      calls: calls.map((one, index) => ({ callId: `0.${index}`, providerId: null, ...one })),
      usage: USAGE,
      ...(cut ? { cut } : {}),
    },
  }));
const callEnds = fc
  .tuple(callId, output)
  .chain(([id, said]) =>
    fc.constantFrom<LoopEvent[]>(
      { type: 'tool.completed', payload: { callId: id, output: said } },
      { type: 'tool.completed', payload: { callId: id, output: said } },
      { type: 'tool.failed', payload: { callId: id, fault: { code: 'tool_failed', message: said } } },
      has.toolInterrupted(id),
      has.personAnswered(id),
      has.callsRefused(id),
      has.callsAdmitted('0.0', '0.1', '0.2'),
      { ...settled('success', said), payload: { ...settled('success', said).payload, callId: id } },
    ),
  );
const attempt = fc.tuple(fc.constantFrom(...Ending.options), text).map(([ending, answer]) => settled(ending, answer));
const captured = fc.constantFrom('tree-1', 'tree-1', 'tree-2', null).map(has.workspaceCaptured);
const verified = fc
  .tuple(fc.boolean(), fc.constantFrom('tree-1', 'tree-2', null))
  .map(([passed, tree]) => has.checked(passed, tree));

function settled(ending: Ending, answer: string) {
  const payload = { child: 'c', outcome: has.outcomeOf(ending), answer, spend: { ...USAGE, toolCalls: 1, steps: 1 } };
  return { type: 'child.settled' as const, payload };
}

const lineage = [delegationSignature({ agent: 'mender', task: 'mend the clock' })];
const handedOver = has.started('turn');
const opening: LoopEvent[] = [
  has.turnStarted(),
  has.loopStarted({ checks: true }),
  {
    ...handedOver,
    payload: {
      ...handedOver.payload,
      settings: { ...handedOver.payload.settings, parent: { run: 'p', effect: 'p/1/1', iteration: 0, lineage } },
    },
  },
];
const rest: LoopEvent[] = [
  has.stepStarted(0),
  has.iterationStarted(0),
  has.steered,
  has.continued(),
  has.contextFilled,
  has.contextCompacted,
  has.decidedToGoOn,
  has.workspaceFailed,
  { type: 'model.interrupted', payload: { reason: 'repeated', text: CHANT.repeat(60), usage: USAGE, cause: 'chant' } },
];

const FAULT = { code: 'model_failed', message: '429 too many requests' };
/** What the provider and the process do, and the work does not. */
export const infrastructure: readonly LoopEvent[] = [
  has.modelRetried,
  has.agentWorked,
  has.modelLimited(),
  has.modelFailed,
  has.modelInterrupted,
  { type: 'model.replaced', payload: { from: 'a', to: 'b', fault: FAULT } },
  has.warned,
  has.paused,
  has.resumed(),
  has.timerFired('retry'),
];

const fact = fc.oneof(
  { weight: 6, arbitrary: answered },
  { weight: 6, arbitrary: callEnds },
  { weight: 2, arbitrary: attempt },
  { weight: 2, arbitrary: captured },
  { weight: 2, arbitrary: verified },
  { weight: 1, arbitrary: fc.constantFrom(...opening) },
  { weight: 2, arbitrary: fc.constantFrom(...rest) },
  { weight: 1, arbitrary: fc.constantFrom(...infrastructure) },
);

/** Facts, most of them in little stories that are told several times over. */
const facts: fc.Arbitrary<LoopEvent[]> = fc
  .array(fc.tuple(fc.array(fact, { maxLength: 5 }), fc.integer({ min: 1, max: 14 })), { maxLength: 6 })
  .map((stories) => stories.flatMap(([story, times]) => Array.from({ length: times }, () => story).flat()));

/** In their places. Every second version is left free. */
export const logged = (events: readonly LoopEvent[]): LoggedEvent[] =>
  events.map((event, index) => ({ ...event, run: RUN, version: 2 * index + 1 }));

export const soup: fc.Arbitrary<LoggedEvent[]> = facts.map(logged);
