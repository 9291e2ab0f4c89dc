import type { CatalogueEntry } from '../../../machines/index.ts';
import { enteredBy, pathOf, placesOf } from '../../charts/nodes.ts';
import { type Transition, transitionsOf } from '../../charts/transitions.ts';
import { type Ways, waysThrough } from '../paths.ts';
import { type Proof, ProofError } from './proof.ts';
import type { Spoken } from './spoken.ts';
import { toldRun } from './told-run.ts';

/** Every state, every ending, every actor and every transition is reached by some way, or it is told which is not. */
export function wayProofs(loop: CatalogueEntry, speaks: () => Spoken): Proof[] {
  let walked: Ways | null = null;
  const ways = (): Ways => (walked ??= waysThrough(loop, speaks().world));
  const proof = (name: string, isThere: () => boolean, remedy: () => string): Proof => ({
    name,
    prove() {
      if (!isThere()) throw new ProofError(name, remedy());
    },
  });
  return [
    ...placesOf(loop.machine).map((place) =>
      proof(`there is a way to ${place}`, () => ways().places.has(place), () => `none is found in this world.${into(loop, place)}`),
    ),
    ...Object.keys(loop.machine.implementations.actors).map((actor) =>
      proof(`something starts ${actor}`, () => ways().actors.has(actor), () => 'nothing does in this world: invoke it, or take it out of `setup`.'),
    ),
    ...transitionsOf(loop.machine).map((transition) =>
      proof(
        `there is a way through ${transition.id}`,
        () => ways().transitions.has(transition.id),
        () => `none is found in this world.\n${wayToTake(transition, loop, speaks(), ways())}`,
      ),
    ),
  ];
}

function into({ machine }: CatalogueEntry, place: string): string {
  const arrows = transitionsOf(machine).filter(({ to }) => to.flatMap(enteredBy).map(pathOf).includes(place));
  return arrows.length === 0 ? ' No arrow leads there.' : ` It is entered by ${arrows.map(({ id }) => id).join(', ')}.`;
}

/** How to reach it: the way to where it begins, and what must be said there. */
function wayToTake({ from, event, guard }: Transition, loop: CatalogueEntry, { world, said }: Spoken, { places }: Ways): string {
  const place = pathOf(from);
  const [, way] = [...places].find(([name]) => place === '' || `${name}.`.startsWith(`${place}.`)) ?? [];
  const opening = way && world.openings[way.opening];
  if (!way || !opening) return `Nothing leads to ${place} either: begin there.`;
  const told = toldRun(loop, { name: way.opening, event: opening }, way.events);
  const needs = guard ? ` so that ${guard} holds` : '';
  if (event === null) return `This leads to ${place}:\n${told}\nLet the world answer${needs || ' otherwise'} by then.`;
  const says = said.has(event)
    ? `The world says ${event}, and never${needs || ' there'}`
    : `The world never says ${event}: add it to the answers of who says it, to the remarks, or to what follows`;
  return `This leads to ${place || 'a state that takes it'}:\n${told}\n${says}. Say it there${needs}.`;
}

