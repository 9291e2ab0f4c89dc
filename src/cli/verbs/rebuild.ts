import { hasEnded, lifeOf, type RunState } from '../../kernel/fold.ts';
import { asJson } from '../pages/as-json.ts';
import { findRun, type RunReference } from '../args/find-run.ts';
import { rebuiltState } from '../pages/rebuilt-state.ts';
import type { Session } from '../session.ts';
import { columns } from '../pages/table.ts';
import { wholeNumber } from '../args/whole-number.ts';
import { oneLine } from '../../projections/phrases.ts';

const MAX_VALUE_CHARS = 120;

/** Shows the state of a run at any version, folded from its log. Starts nothing and writes nothing. */
export async function rebuild(
  session: Session,
  reference: RunReference,
  { at, json }: { readonly at?: string; readonly json?: boolean },
): Promise<number> {
  const { out, err } = session.streams;
  const version = at === undefined ? undefined : wholeNumber('--at', at);
  const loops = await session.loops('read', { runs: [reference], otherwise: 'refuse' });
  const { run } = await findRun(loops.log, reference);
  const state = await rebuiltState(loops, run, version, (message) => err.line(`warning: ${message}`));
  if (json) out.line(asJson(wholeOf(run, state), 2));
  else for (const line of textOf(run, state)) out.line(line);
  return 0;
}

function wholeOf(run: string, state: RunState) {
  const { entry, version, at, paused, outstanding, snapshot } = state;
  const { value, status, context } = snapshot;
  return { run, machine: entry.id, version, at, value, status, paused, outstanding, context };
}

function textOf(run: string, state: RunState): string[] {
  const { entry, version, at, paused, outstanding, snapshot } = state;
  const facts = Object.entries(lifeOf(state)).map(([name, value]) => [
    `  ${name}`,
    oneLine(JSON.stringify(value), MAX_VALUE_CHARS),
  ]);
  const owed = outstanding.map(({ effect, actor, attempt, told }) => [
    `  ${effect}`,
    `${actor}${attempt > 1 ? `, attempt ${attempt}` : ''}${told ? ', told to stop' : ''}`,
  ]);
  const standing = hasEnded(state) ? 'ended' : 'active';
  return [
    `run ${run} at version ${version}, ${at}`,
    `state ${stateName(snapshot.value)} (${entry.id}, ${paused ? 'paused' : standing})`,
    'context',
    ...columns(facts),
    owed.length === 0 ? 'outstanding effects: none' : 'outstanding effects',
    ...columns(owed),
  ];
}

/** `decide.judging` for `{decide: 'judging'}`. */
function stateName(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name}.${stateName(inner)}`)
    .join(', ');
}
