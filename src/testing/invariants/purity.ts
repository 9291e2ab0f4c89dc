import type { LoopEvent, Recorded } from '../../../machines/events.ts';
import { fold, open, type RunState } from '../../kernel/fold.ts';
import { placeOf } from '../../kernel/position.ts';
import { within } from '../ambient/ambient.ts';
import { otherAmbients, walkAmbient } from '../ambient/ambients.ts';
import { type Invariant, InvariantBroken, same } from './invariant.ts';

/**
 * Each event is folded again at another time, with other random numbers and in another process environment. Every read
 * is reported even where it makes no difference: on another day it could.
 */
export const readsNothingElse: Invariant = {
  name: 'a fold reads its log alone: no clock, no random numbers, no environment',
  looks: 'always',
  check({ started, first, happenings }, loop) {
    const ambient = otherAmbients[happenings.length % otherAmbients.length] ?? walkAmbient;
    const reads = new Set<string>();
    within(
      ambient(),
      (what) => reads.add(what),
      () => {
        const opened = open(started, [loop]);
        if (opened.kind === 'opened') alike(reads, started, opened.state, first);
        for (const { event, before, after } of happenings) alike(reads, event, fold(before, event), after);
      },
    );
  },
};

function alike(
  reads: ReadonlySet<string>,
  { type, version }: Recorded<LoopEvent>,
  folded: RunState,
  lived: RunState,
): void {
  const read = [...reads].join(', ');
  const after = `after ${type}${read && `, whose fold reads ${read},`}`;
  same(version, `the state ${after}`, placeOf(folded.snapshot), placeOf(lived.snapshot));
  same(version, `what is remembered ${after}`, folded.snapshot.context, lived.snapshot.context);
  same(version, `what is outstanding ${after}`, folded.outstanding, lived.outstanding);
  if (read) throw new InvariantBroken(version, `what the fold of ${type} reads beside the log`, read, 'nothing');
}
