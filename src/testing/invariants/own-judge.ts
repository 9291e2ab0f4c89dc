import type { LoopEvent, Recorded } from '../../../machines/events.ts';
import { lifeOf, refusalOf, type RunState } from '../../kernel/fold.ts';
import { JudgeMemory } from '../../judging/judge-memory.ts';
import { evidenceIn } from '../../judging/judgement.ts';
import type { Advice, Decision } from '../../kernel/decision.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import { placeOf } from '../../kernel/position.ts';
import { type Invariant, InvariantBroken, same } from './invariant.ts';
import { Round } from './losses.ts';

/**
 * Random walks decide at random. This invariant asks the loop's own judge at each of those decisions.
 */
export const judgesItself: Invariant = {
  name: 'the judge decides only what the chart accepts, and calls no aborted or lost run a success',
  looks: 'thorough',
  check({ started, first, happenings }, loop) {
    const { settings } = started.payload;
    const memory = new JudgeMemory(RUN, settings, () => [], loop);
    const round = new Round(loop);
    memory.observe(factOf(started));
    const look = (state: RunState): void => {
      if (placeOf(state.snapshot) !== 'decide.judging' || state.paused) return;
      const known = evidenceIn({ run: RUN, settings, state, at: state.at }, memory);
      const decision = loop.judge(known, loop.strategyInput?.(known) ? GOES_ON : null);
      isTaken(state, decision);
      isNoFalseSuccess(state, decision, round.isLost);
    };
    look(first);
    for (const happening of happenings) {
      memory.observe(factOf(happening.event));
      round.observe(happening);
      look(happening.after);
    }
  },
};

const RUN = 'run-1';
/** A strategy that never stops, so that only the judge can end the run. */
const GOES_ON: Advice = { strategy: 'fixed', decision: { continue: true, reason: 'go on' } };

const factOf = (event: Recorded<LoopEvent>): Fact => ({ ...event, run: RUN });

function isTaken(state: RunState, payload: Decision): void {
  const event: LoopEvent = { type: 'decision.made', payload };
  const parsed = state.entry.events.safeParse(event);
  if (!parsed.success)
    throw new InvariantBroken(state.version, 'what its judge decides', payload, `a decision: ${parsed.error.message}`);
  const because = refusalOf(state, { ...event, at: state.at, version: state.version + 1 });
  same(state.version, `why the chart refuses the decision to ${payload.action} (${payload.reason})`, because, null);
}

function isNoFalseSuccess(state: RunState, { sink }: Decision, isLost: boolean): void {
  if (lifeOf(state).abort) same(state.version, 'the ending of a run that was aborted', sink?.ending, 'abort');
  if (isLost && sink?.ending === 'success')
    throw new InvariantBroken(
      state.version,
      'the ending after an attempt that was cut short',
      sink,
      'anything but a success',
    );
}
