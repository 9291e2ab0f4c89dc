import { LoopEvent } from '../../machines/events.ts';
import type { Actor, Delta } from '../../src/actors/actor.ts';
import { jsonFault } from '../../src/log/json-gate.ts';

const never = new AbortController().signal;

/** Lets an actor perform once. Every event must belong to the vocabulary and be something the log can keep. */
export async function performed<Input>(
  actor: Actor<Input>,
  input: Input,
  signal: AbortSignal = never,
  hear?: (delta: Delta) => void,
) {
  const events: LoopEvent[] = [];
  const deltas: Delta[] = [];
  const delta = (piece: Delta) => {
    deltas.push(piece);
    hear?.(piece);
  };
  for await (const event of actor.execute(input, { id: 'run/1/0', attempt: 1, signal, delta })) {
    const fault = jsonFault(event.payload);
    if (fault) throw new Error(`${event.type}: ${fault.found} at ${fault.path}`);
    events.push(LoopEvent.parse(event));
  }
  return { events, deltas };
}
