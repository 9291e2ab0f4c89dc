import type { EventOf, ToolCall } from '../../../machines/events.ts';
import type { Life } from '../../../machines/life.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { REFUSED_BY_BUDGET } from '../../budget/admit.ts';
import { fairShares, leftIn, MAX_HANDOFF_LEVELS } from '../../budget/fair-shares.ts';

type Admission = EventOf<'calls.admitted'>['payload'];
type Admitted = Admission['run'][number];

const REFUSED_BY_NESTING = `refused: this work was delegated ${MAX_HANDOFF_LEVELS} times already, do it yourself`;

/** The delegating run, as far as admission depends on it. */
export interface Delegator {
  readonly settings: RunSettings;
  readonly life: Pick<Life, 'limits' | 'spend' | 'reserved'>;
}

/**
 * Admits calls: each delegation gets its share of the remaining budget. Refuses delegations for which nothing is left,
 * or which are nested too deeply. Pure.
 */
export function withShares(
  calls: readonly ToolCall[],
  actorOf: (call: ToolCall) => Admitted['actor'],
  giver: Delegator,
): Pick<Admission, 'run' | 'refused'> {
  const all = calls.map((call) => ({ call, actor: actorOf(call) }));
  const handed = all.filter(({ actor }) => actor === 'runAgent').map(({ call }) => call);
  const refusal = handoffLevel(giver.settings) >= MAX_HANDOFF_LEVELS ? REFUSED_BY_NESTING : REFUSED_BY_BUDGET;
  const shares = refusal === REFUSED_BY_NESTING ? [] : fairShares(leftIn(giver.life, calls.length), handed.map(wishOf));
  const run: Admitted[] = [];
  const refused: { callId: string; reason: string }[] = [];
  for (const { call, actor } of all) {
    const { callId } = call;
    const share = actor === 'runAgent' ? (shares[handed.indexOf(call)] ?? null) : undefined;
    if (share === null) refused.push({ callId, reason: refusal });
    else run.push({ callId, actor, ...(share ? { share } : {}) });
  }
  return { run, refused };
}

function wishOf({ arguments: given }: ToolCall): number | null {
  const wish: unknown = Reflect.get(Object(given), 'maxTokens');
  return Number.isSafeInteger(wish) && Number(wish) > 0 ? Number(wish) : null;
}

/** How many delegations lead to a run. */
const handoffLevel = ({ parent }: RunSettings): number => parent?.lineage?.length ?? 0;
