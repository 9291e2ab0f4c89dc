import { isAgentModel } from '../../../machines/agent-model.ts';
import type { Permissions } from '../../../machines/permissions.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { EventStore } from '../../log/event-store.ts';
import { rulesFitting } from '../../permissions/call-ruling.ts';
import { ruleText } from '../../permissions/rule-text.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import { readableFacts } from '../../projections/read-summary.ts';

/** The most runs of a tree that are read: the newest. */
const MAX_RUNS = 100;

/** The rules of a run that no call of its models fitted, those of its attempts included. */
export async function unusedRules(
  log: EventStore,
  run: string,
  loops: readonly LoopDefinition[],
): Promise<readonly string[]> {
  const { permissions, model } = (await readSettings(log, run)) ?? { model: '' };
  if (!permissions || permissions.rules.length === 0 || isAgentModel(model)) return [];
  const unused = new Map(permissions.rules.map((rule, index) => [index, ruleText(rule)]));
  const root = (await log.run(run))?.root ?? run;
  for (const other of (await log.tree(root)).slice(-MAX_RUNS)) {
    for (const index of await fittingIn(log, other.run, permissions, loops)) unused.delete(index);
  }
  return [...unused.values()];
}

/** The places of the rules that calls of one run fit. */
async function fittingIn(
  log: EventStore,
  run: string,
  permissions: Permissions,
  loops: readonly LoopDefinition[],
): Promise<readonly number[]> {
  const found: number[] = [];
  let directory = '';
  for await (const { type, payload } of readableFacts(log, run, loops)) {
    if (type === 'run.started') ({ directory } = payload.settings);
    if (type !== 'model.completed') continue;
    const ruled = { permissions, directory, isWalled: true, isForeign: false };
    found.push(...payload.calls.flatMap((call) => rulesFitting(call, ruled)));
  }
  return found;
}
