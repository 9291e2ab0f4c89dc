import { filter, firstValueFrom, ReplaySubject } from 'rxjs';
import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { Envelope } from '../../src/log/envelope.ts';
import type { RunDelta } from '../../src/runtime/run-tree.ts';
import type { Live, Watch } from '../../src/runtime/own-tree.ts';

type AnyType = LoopEvent['type'];
export type Seen<Type extends AnyType = AnyType> = Omit<Envelope, 'type' | 'payload'> & EventOf<Type>;
type Where<Type extends LoopEvent['type']> = (fact: Seen<Type>) => boolean;

/** Collects the facts and deltas of a tree of runs, and waits for later ones. */
export class RunObserver {
  readonly facts: Seen[] = [];
  readonly deltas: RunDelta[] = [];
  readonly #facts = new ReplaySubject<Seen>();
  readonly #deltas = new ReplaySubject<RunDelta>();

  readonly watch: Watch = (facts, deltas) => {
    facts.subscribe((envelope) => {
      const seen = envelope as unknown as Seen;
      this.facts.push(seen);
      this.#facts.next(seen);
    });
    deltas.subscribe((delta) => {
      this.deltas.push(delta);
      this.#deltas.next(delta);
    });
  };

  /** All so far of one type. */
  of<Type extends LoopEvent['type']>(type: Type, where: Where<Type> = () => true): Seen<Type>[] {
    return this.facts.filter((fact): fact is Seen<Type> => fact.type === type && where(fact as Seen<Type>));
  }

  /** The first of one type, past or to come. */
  until<Type extends LoopEvent['type']>(type: Type, where: Where<Type> = () => true): Promise<Seen<Type>> {
    const matches = (fact: Seen): fact is Seen<Type> => fact.type === type && where(fact as Seen<Type>);
    return firstValueFrom(this.#facts.pipe(filter(matches)));
  }

  untilDelta(where: (delta: RunDelta) => boolean): Promise<RunDelta> {
    return firstValueFrom(this.#deltas.pipe(filter(where)));
  }
}

/** A live run, and its observer. */
export interface ObservedRun extends Live {
  readonly observer: RunObserver;
}
