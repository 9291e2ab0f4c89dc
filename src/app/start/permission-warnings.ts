import { agentOfModel } from '../../../machines/agent-model.ts';
import type { PermissionRule } from '../../../machines/permissions.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { reachOfRules } from '../../agents/rule-words.ts';
import { KNOWN_PURPOSES } from '../../permissions/call-parts.ts';
import { ruleText } from '../../permissions/rule-text.ts';
import { shadowedRules } from '../../permissions/shadowed-rules.ts';
import { starPattern } from '../../text/star-pattern.ts';

/** What a user should know of the rules of a run before it starts. */
export function permissionWarnings(
  { permissions, model }: Pick<RunSettings, 'permissions' | 'model'>,
  toolNames: readonly string[],
): readonly string[] {
  // Without rules only the absence of a person is recorded.
  if (!permissions || (permissions.rules.length === 0 && permissions.profile === undefined)) return [];
  const { rules } = permissions;
  const agent = agentOfModel(model);
  const names = agent === null ? [...new Set([...toolNames, ...KNOWN_PURPOSES])] : null;
  return [
    ...shadowedRules(rules).map((sentence) => `${sentence}.`),
    ...(names === null ? [] : rules.flatMap((rule) => withoutTool(rule, names))),
    ...(agent === null ? [] : reachOfRules(agent, permissions)),
  ];
}

const withoutTool = (rule: PermissionRule, names: readonly string[]): readonly string[] =>
  names.some((name) => starPattern(rule.tool).test(name))
    ? []
    : [`the rule "${ruleText(rule)}" fits no tool of this run: known are ${names.join(', ')}.`];
