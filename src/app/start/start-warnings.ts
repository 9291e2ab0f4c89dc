import type { RunSettings } from '../../../machines/settings.ts';
import { agentOfModel } from '../../../machines/agent-model.ts';
import { doorsOfModel } from '../../agents/agent-needs.ts';
import type { RunOptions } from '../../config/options.ts';
import type { AppHost } from '../app-host.ts';
import { shadowedChecks } from './checks-beside-log.ts';
import { unknownWindows } from './unknown-windows.ts';
import { unmatchedGlobs } from './glob-warnings.ts';
import type { WantedPlaces } from './loop-demands.ts';
import type { PermissionRule } from '../../../machines/permissions.ts';
import { reachOfRules } from '../../agents/rule-words.ts';
import { KNOWN_PURPOSES } from '../../permissions/call-parts.ts';
import { ruleText, shadowedRules } from '../../permissions/rule-text.ts';
import { starPattern } from '../../text/star-pattern.ts';

/** What a user should know of the rules of a run before it starts. */
function permissionWarnings(
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

/** A run that is about to start. */
interface Starting {
  readonly options: RunOptions;
  readonly settings: RunSettings;
  readonly places: WantedPlaces;
}

/** What a user should know before a run starts, and what does not keep it from starting. */
export async function startWarnings(
  { services }: Pick<AppHost, 'services'>,
  { options, settings, places }: Starting,
): Promise<readonly string[]> {
  return [
    ...unusedOptions(options, places, services),
    ...permissionWarnings(settings, services.toolNames),
    ...(places.proof ? await unmatchedGlobs(options, settings.directory) : []),
    ...services.strategies.warnings(settings),
    ...(await unknownWindows(settings, services)),
    ...agentWarnings(settings),
    ...(await shadowedChecks(settings)),
  ];
}

/** Says where limits of tokens and money do not hold an agent of others while it works: no meter counts its calls. */
function agentWarnings({ model, limits }: RunSettings): string[] {
  const agent = agentOfModel(model);
  if (agent === null || doorsOfModel(model, process.env).length > 0) return [];
  const { maxTokens, maxCostNanoUsd = null } = limits;
  const named = [...(maxTokens === null ? [] : ['maxTokens']), ...(maxCostNanoUsd === null ? [] : ['maxCost'])];
  return named.map(
    (limit) =>
      `${limit} is looked at after each attempt of ${agent}, by its own count: while it works nothing holds it.`,
  );
}

/** Options that a run of this host does not use. */
function unusedOptions(options: RunOptions, { proof }: WantedPlaces, { onlyModel }: AppHost['services']): string[] {
  const {
    model,
    isolate,
    deps = [],
    protect = [],
    unprotect = [],
    provide = [],
    prepare = [],
    homePaths = [],
    allowGrounds = [],
    permissions,
    permissionProfile,
    wait,
    control,
    legs,
    sandbox = 'try',
    network,
    sandboxWrite = [],
  } = options;
  const isProven = proof !== null;
  const isOther = model !== undefined && onlyModel !== null && model !== onlyModel;
  return [
    ...(isOther ? [`model is not used: ${onlyModel} answers for every run here, and the log names ${model}.`] : []),
    ...(deps.length > 0 && isolate === undefined && !isProven
      ? ["deps is not used: it needs isolate 'worktree', or checkIn 'proof'."]
      : []),
    ...(protect.length + unprotect.length > 0 && !isProven
      ? ["protect and unprotect are not used: they need checkIn 'proof'."]
      : []),
    ...(provide.length + prepare.length + homePaths.length > 0 && !isProven
      ? ["provide, prepare and homePaths are not used: they need checkIn 'proof'."]
      : []),
    ...((allowGrounds.length > 0 ||
      (wait !== undefined && permissions === undefined && permissionProfile === undefined) ||
      control !== undefined ||
      legs !== undefined) &&
    !isProven
      ? ["allowGrounds, wait, control and legs are not used: they need checkIn 'proof'."]
      : []),
    ...(sandbox === 'off' && (network !== undefined || sandboxWrite.length > 0)
      ? ["network and sandboxWrite are not used: they need sandbox 'required' or 'try'."]
      : []),
  ];
}
