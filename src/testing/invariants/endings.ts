import { hasEnded, lifeOf } from '../../kernel/fold.ts';
import { refusal } from '../../kernel/step.ts';
import { placeOf } from '../../kernel/position.ts';
import { type Invariant, same } from './invariant.ts';

/** The decision, the outcome and the final state agree on one ending. */
export const endsOnce: Invariant = {
  name: 'a run ends once, and as its decision says',
  looks: 'always',
  check({ happenings, last }) {
    const verdicts = happenings.filter(
      ({ event }) => event.type === 'decision.made' && event.payload.action === 'stop',
    );
    const endings = happenings.filter(({ before, after }) => !hasEnded(before) && hasEnded(after));
    const [verdict] = verdicts.map(({ event }) => (event.type === 'decision.made' ? event.payload.sink : undefined));
    const { version } = last;
    same(version, 'how often it was decided to stop', Math.min(verdicts.length, 1), verdicts.length);
    same(version, 'how often it ended', endings.length, hasEnded(last) ? 1 : 0);
    same(version, 'the outcome', lifeOf(last).outcome, verdict ?? null);
    if (hasEnded(last)) same(version, 'the final state', placeOf(last.snapshot), verdict?.ending);
  },
};

export const endsForGood: Invariant = {
  name: 'nothing is accepted after an ending, and nothing is pending',
  looks: 'always',
  check({ happenings, refused, last }) {
    for (const { event, before } of happenings)
      same(event.version, `a run that takes ${event.type} after its ending`, hasEnded(before), false);
    if (!hasEnded(last)) return;
    same(last.version, 'what is outstanding', last.outstanding, []);
    const said = new Map(
      refused.concat(happenings.map(({ event }) => ({ event, at: last }))).map(({ event }) => [event.type, event]),
    );
    for (const [type, event] of said)
      same(last.version, `why ${type} is refused`, refusal(last.snapshot, event), 'ended');
  },
};
