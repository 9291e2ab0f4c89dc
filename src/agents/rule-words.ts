import type { Permissions } from '../../machines/permissions.ts';
import { ruleText } from '../permissions/rule-text.ts';
import { readAgentName } from './agent-name.ts';

/** What rules reach of an agent of others: as sentences for who sets them. */
export function reachOfRules(name: string, permissions: Permissions): readonly string[] {
  const named = readAgentName(name);
  const isAsking = named?.kind === 'acp' || (named?.kind === 'preset' && named.preset.adapter.kind === 'acp');
  if (isAsking)
    return [`${name} is ruled where it asks for permission: what it does without a question only walls hold.`];
  const told = named?.kind === 'preset' ? named.preset.ruleWords?.(permissions) : undefined;
  if (!told)
    return [
      `no rule reaches ${name}: it asks no person before it acts. Walls hold it (--sandbox required, --network).`,
    ];
  const asks = permissions.rules.some(({ action }) => action === 'ask') || permissions.profile === 'read';
  return [
    ...told.unreached.map(
      (rule) => `${name} cannot be told of the rule "${ruleText(rule)}": only walls hold it there.`,
    ),
    ...(asks ? [`${name} asks no person: what rules would ask is denied there.`] : []),
  ];
}
