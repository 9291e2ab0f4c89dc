import type { Verified } from '../../../machines/outcome.ts';
import type { LoopEvent, Recorded } from '../../../machines/events.ts';
import { lifeOf, type RunState } from '../../kernel/fold.ts';
import { placeOf } from '../../kernel/position.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Verdict } from '../../kernel/loop-verdicts.ts';
import { evidenceIn } from '../../judging/judgement.ts';
import { JudgeMemory } from '../../judging/judge-memory.ts';
import type { Advice } from '../../kernel/decision.ts';
import { type Invariant, InvariantBroken, same } from './invariant.ts';

/** A change is integrated only after its own verdict passed, and no other one came since. */
export const integratesByVerdict: Invariant = {
  name: 'nothing is integrated without its verdict',
  looks: 'always',
  check({ happenings }, { verdicts }) {
    if (!verdicts) return;
    let newest: Verdict | null = null;
    for (const { event } of happenings) {
      newest = verdicts.takesBack(event) ? null : (verdicts.verdict(event) ?? newest);
      const change = verdicts.integrated(event);
      if (change === null) continue;
      const { about, passed }: Pick<Verdict, 'about' | 'passed'> = newest ?? { about: null, passed: false };
      const wanted = { about: change, passed: true };
      same(event.version, `the verdict on ${change}, which is integrated`, { about, passed }, wanted);
      newest = null;
    }
  },
};

/** What a loop's own judge calls a verified success rests on a verdict that passed, on the workspace that it names. */
export const succeedsByVerdict: Invariant = {
  name: 'no success is called verified without its verdict',
  looks: 'thorough',
  check({ started, first, happenings }, loop) {
    const { settings } = started.payload;
    const memory = new JudgeMemory(RUN, settings, () => [], loop);
    const passed = new Map<number, string | null>();
    memory.observe({ ...started, run: RUN });
    const look = (state: RunState): void => {
      if (placeOf(state.snapshot) !== 'decide.judging' || state.paused) return;
      const known = evidenceIn({ run: RUN, settings, state, at: state.at }, memory);
      const { sink } = loop.judge(known, loop.strategyInput?.(known) ? GOES_ON : null);
      if (sink?.ending === 'success' && sink.verified) restsOn(passed, sink.verified, state);
    };
    look(first);
    for (const { event, after } of happenings) {
      memory.observe({ ...event, run: RUN });
      const verdict = passedIn(event, loop);
      if (verdict) passed.set(event.version, verdict.workspace);
      look(after);
    }
  },
};

const RUN = 'run-1';
/** A strategy that never stops, so that only the judge can end the run. */
const GOES_ON: Advice = { strategy: 'fixed', decision: { continue: true, reason: 'go on' } };

function restsOn(passed: ReadonlyMap<number, string | null>, verified: Verified, state: RunState): void {
  const { version, workspace } = verified;
  if (!passed.has(version))
    throw new InvariantBroken(
      state.version,
      'what a success rests on',
      verified,
      'the version of a verdict that passed',
    );
  same(state.version, 'the workspace that a success names', workspace, passed.get(version));
  same(state.version, 'whether the run was aborted', lifeOf(state).abort !== null, false);
}

/** The workspace of a verdict that passed. Null: the event is no such verdict. */
function passedIn(event: Recorded<LoopEvent>, { verdicts }: LoopDefinition): Pick<Verdict, 'workspace'> | null {
  const { type, payload } = event;
  if (type === 'verification.completed') return payload.passed && payload.levels.length > 0 ? payload : null;
  const verdict = verdicts?.verdict(event);
  return verdict?.passed ? verdict : null;
}
