import { lifeOf } from '../../kernel/fold.ts';
import { placeOf } from '../../kernel/position.ts';
import { type Invariant, same } from './invariant.ts';

export const judgedAtRest: Invariant = {
  name: 'nothing is pending when a run is judged',
  looks: 'always',
  check({ first, happenings }) {
    for (const state of [first, ...happenings.map(({ after }) => after)]) {
      if (placeOf(state.snapshot) === 'decide.judging')
        same(state.version, 'what is pending', lifeOf(state).pending, {});
    }
  },
};

export const decidesToEnd: Invariant = {
  name: 'only a decision leads out of judging, and only from there',
  looks: 'always',
  check({ happenings }) {
    for (const { event, before } of happenings) {
      if (event.type === 'decision.made')
        same(event.version, 'where it was decided', placeOf(before.snapshot), 'decide.judging');
    }
  },
};
