import type { EventOf, LoopEvent, ToolCall } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import { builtinTools } from '../../src/actors/tools/builtin.ts';
import { countingResults } from '../../src/detectors/complete-choice.ts';
import type { Detector, LoggedEvent } from '../../src/detectors/detector.ts';
import { inferredTraits } from '../../src/detectors/traits-by-name.ts';
import { detectorsOf } from '../../src/detectors/profile.ts';
import type { TraitsOf } from '../../src/detectors/traits.ts';

/** The facts of a turn in few words: what the model asks for, and what comes of it. */

export type Call = Pick<ToolCall, 'tool' | 'arguments'>;

const USAGE = { inputTokens: 10, outputTokens: 1 };

export const call = (tool: string, given: ToolCall['arguments'] = {}): Call => ({ tool, arguments: given });
export const read = (path: string): Call => call('read', { path });

export const asks = (...calls: readonly Call[]): EventOf<'model.completed'> => saysAndAsks('', ...calls);
export const saysAndAsks = (text: string, ...calls: readonly Call[]): EventOf<'model.completed'> => ({
  type: 'model.completed',
  payload: {
    text,
    calls: calls.map((one, index) => ({ callId: idOf(index), providerId: null, ...one })),
    usage: USAGE,
  },
});
export const says = (text: string, cut?: 'length'): EventOf<'model.completed'> => ({
  type: 'model.completed',
  payload: { text, calls: [], usage: USAGE, ...(cut ? { cut } : {}) },
});

const idOf = (index: number) => `0.${index}`;
export const done = (output = 'ok', index = 0): LoopEvent => ({
  type: 'tool.completed',
  payload: { callId: idOf(index), output },
});
export const failed = (message = 'no such file', index = 0): LoopEvent => ({
  type: 'tool.failed',
  payload: { callId: idOf(index), fault: { code: 'tool_failed', message } },
});
export const lost = (index = 0): LoopEvent => ({
  type: 'tool.interrupted',
  payload: { callId: idOf(index), reason: 'the process was stopped' },
});
export const refused = (index = 0): LoopEvent => ({
  type: 'calls.admitted',
  payload: { run: [], refused: [{ callId: idOf(index), reason: 'refused: budget' }] },
});
export const answered = (answer = 'yes', index = 0): LoopEvent => ({
  type: 'person.answered',
  payload: { callId: idOf(index), answer },
});
export const steered: LoopEvent = { type: 'run.steered', payload: { text: 'and use tabs' } };

/** One step: an answer with one call, and its result. */
export const step = (one: Call, result: LoopEvent = done()): LoopEvent[] => [asks(one), result];

export const times = <Item>(count: number, item: (index: number) => Item | readonly Item[]): Item[] =>
  Array.from({ length: count }, (_, index) => item(index)).flat() as Item[];

const RUN = 'run-1';
export const inPlaces = (facts: readonly LoopEvent[]): LoggedEvent[] =>
  facts.map((fact, index) => ({ ...fact, run: RUN, version: index + 1 }));

/** What a detector finds, in order, without the facts at which it finds nothing. */
export function foundIn(detector: Detector, facts: readonly LoopEvent[]): Finding[] {
  let state = detector.init();
  return inPlaces(facts).flatMap((event) => {
    const noticed = detector.step(state, event);
    state = noticed.state;
    return noticed.finding ? [noticed.finding] : [];
  });
}

/** The same in brief: the level, and the place of the fact that brought it about (from 1). */
export function levelsIn(detector: Detector, facts: readonly LoopEvent[]): string[] {
  let state = detector.init();
  return inPlaces(facts).flatMap((event) => {
    const noticed = detector.step(state, event);
    state = noticed.state;
    return noticed.finding ? [`${noticed.finding.level} at ${event.version}`] : [];
  });
}

const ownTraits = new Map(builtinTools().map(({ name, traits = {} }) => [name, traits]));
/** The traits of the built-in tools, and those that are assumed of the others. */
export const traitsHere: TraitsOf = (name) => ownTraits.get(name) ?? inferredTraits(name);

/** The detectors of a run of an agent that chooses none. */
export function byDefault(): readonly Detector[] {
  const chosen = detectorsOf(countingResults(['default']), traitsHere);
  return chosen.kind === 'detectors' ? chosen.detectors : [];
}

/** The findings of the default profile, of the levels that are named, each with its detector. */
export const foundByDefault = (facts: readonly LoopEvent[], levels: readonly Finding['level'][]): string[] =>
  byDefault().flatMap((detector) =>
    foundIn(detector, facts).flatMap(({ level, count }) =>
      levels.includes(level) ? [`${detector.name}: ${level} ${count}`] : [],
    ),
  );

export const shell = (command: string): Call => call('shell', { command });
/** A command, what it prints, and its status where that is not 0. */
export const runs = (command: string, output: string, status = 0): LoopEvent[] =>
  step(shell(command), done(status === 0 ? output : `${output}\n[exit code ${status}]`));
