import type { CatalogueEntry } from '../../../machines/index.ts';
import { enteredBy, pathOf, placesOf } from '../../charts/nodes.ts';
import { type Transition, transitionsOf } from '../../charts/transitions.ts';
import { MachineThrew } from '../moment.ts';
import { type Ways, waysThrough } from '../paths.ts';
import type { World } from '../world.ts';
import { type Proof, ProofError } from './proof.ts';
import { type Spoken, WorldError } from './spoken.ts';
import { toldRun } from './told-run.ts';

/** Every state, every ending, every actor and every transition is reached by some way, or it is told which is not. */
export function wayProofs(loop: CatalogueEntry, speaks: () => Spoken): Proof[] {
  let search: Search | null = null;
  const proof = (name: string, isThere: (ways: Ways) => boolean, remedy: (ways: Ways) => string): Proof => ({
    name,
    prove() {
      const { world, unanswered } = speaks();
      search ??= searched(loop, world);
      if ('because' in search) throw new ProofError(name, stopped(search.because), null, search.because);
      if (isThere(search.ways)) return;
      // Whatever is not reached: an effect that never completes is why.
      const [silent] = unanswered.values();
      throw silent ?? new ProofError(name, remedy(search.ways));
    },
  });
  return [
    ...placesOf(loop.machine).map((place) =>
      proof(`there is a way to ${place}`, ({ places }) => places.has(place), () => `none is found in this world.${into(loop, place)}`),
    ),
    ...Object.keys(loop.machine.implementations.actors).map((actor) =>
      proof(`something starts ${actor}`, ({ actors }) => actors.has(actor), () => 'nothing does in this world: invoke it, or take it out of `setup`.'),
    ),
    ...transitionsOf(loop.machine).map((transition) =>
      proof(
        `there is a way through ${transition.id}`,
        ({ transitions }) => transitions.has(transition.id),
        (ways) => `none is found in this world.\n${wayToTake(transition, loop, speaks(), ways)}`,
      ),
    ),
  ];
}

/** One search looks for all ways, and is not begun again where it could not be finished. */
type Search = { readonly ways: Ways } | { readonly because: unknown };

function searched(loop: CatalogueEntry, world: World): Search {
  try {
    return { ways: waysThrough(loop, world) };
  } catch (because) {
    if (because instanceof WorldError) throw because;
    return { because };
  }
}

function stopped(because: unknown): string {
  const what = because instanceof Error ? because.message : String(because);
  const remedy = because instanceof MachineThrew ? ' Let it bear all that the world says.' : '';
  return `no way can be looked for. ${what}${what.endsWith('.') ? '' : '.'}${remedy}`;
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

