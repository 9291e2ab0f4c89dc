import { askPerson } from '../../shared/effects/ask-person.ts';
import { type Effect, lossOf } from '../../shared/effect.ts';

/** The question of a server, which a call continues after. */
export const serverQuestion: Effect = {
  class: 'repeatable',
  asksPerson: true,
  interrupted: ({ input }, how) => {
    const loss = lossOf('server', how);
    return { ...loss, payload: { ...loss.payload, lane: input['callId'] } };
  },
  handler: askPerson,
};
