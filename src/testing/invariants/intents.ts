import type { LoopEvent } from '../../../machines/events.ts';
import { answererOf, type CatalogueEntry } from '../../../machines/index.ts';
import { hasEnded, lifeOf, type Outstanding, type RunState } from '../../kernel/fold.ts';
import { begin, step } from '../../kernel/step.ts';
import type { Happening } from '../random-walk.ts';
import { type Invariant, same } from './invariant.ts';
import { Ledger } from './ledger.ts';

/** Reads only the states themselves, which is cheap enough for every run. */
export const answersTheAsked: Invariant = {
  name: 'every result answers an effect that was started and has not answered',
  looks: 'always',
  check({ happenings }, loop) {
    for (const { event, causation, before, after } of happenings) {
      const key = answererIn(loop, event, before);
      if (key === null) continue;
      const asked = before.outstanding.find((one) => one.key === key);
      same(event.version, `the effect that ${event.type} answers`, causation, asked?.effect ?? `one under ${key}`);
      same(
        event.version,
        `${causation}, which ${event.type} has answered, still outstanding`,
        after.outstanding.some(({ effect }) => effect === causation),
        false,
      );
    }
  },
};

/** Compares the machine with a ledger that is kept from the effects of each version and the answers in each event. */
export const owesWhatTheLogSays: Invariant = {
  name: 'what is pending and outstanding is what the log says',
  looks: 'thorough',
  check({ started, first, happenings }, loop) {
    const ledger = new Ledger(loop);
    ledger.record({ version: 1, answers: null, effects: begin(loop.machine, started).effects });
    agrees(ledger, first);
    for (const happening of happenings) {
      const { event, before, after } = happening;
      const { effects } = step(loop.machine, before.snapshot, event);
      const isAnswer = ledger.record({ version: event.version, effects, ...accountOf(happening, loop) });
      same(event.version, `${event.type}, an answer to what is open`, isAnswer, true);
      agrees(ledger, after);
    }
  },
};

/** The effect that an event is the result of. Null: none, also where another effect reports it on its way. */
function answererIn(loop: CatalogueEntry, event: LoopEvent, before: RunState): string | null {
  const key = answererOf(loop, event);
  const isAlongside = loop.alongside?.includes(event.type) && before.outstanding.every((one) => one.key !== key);
  return isAlongside ? null : key;
}

function accountOf({ event, causation, before }: Happening, loop: CatalogueEntry) {
  const answers = answererIn(loop, event, before) === null ? null : causation;
  const isGraceOver = event.type === 'timer.fired' && event.payload.timer === 'grace';
  if (event.type !== 'child.asked' && event.type !== 'child.answered') return { answers, isGraceOver };
  const { callId, lane } = event.payload;
  const isOfChild = ({ input }: Outstanding) =>
    callId === undefined ? lane !== undefined && input['lane'] === lane : input['callId'] === callId;
  // Where a loop has one child at a time, the whole run waits with it, and `pending` does not show that.
  const effect = before.outstanding.find(isOfChild)?.effect ?? null;
  return { answers, isGraceOver, waiting: { effect, begins: event.type === 'child.asked' } };
}

function agrees(ledger: Ledger, state: RunState): void {
  const { version } = state;
  if (hasEnded(state)) return same(version, 'what is outstanding at the end', state.outstanding, []);
  same(version, 'what is pending', lifeOf(state).pending, ledger.pending);
  const outstanding = state.outstanding.map(({ effect, key, actor, told }) => ({ effect, key, actor, told }));
  same(version, 'what is outstanding', outstanding, ledger.outstanding);
}
