import type { PermissionAction, PermissionProfile, Permissions } from '../../machines/permissions.ts';
import { signatureOf } from '../detectors/signature.ts';
import { type Called, type CallPart, callParts, hostPart } from './call-parts.ts';
import { fitOf } from './fits-rule.ts';
import type { PermissionMemory } from './permission-memory.ts';
import { ruleText } from './rule-text.ts';

/** What the rules of a run are about. */
export interface Ruled {
  readonly permissions: Permissions;
  /** The workspace, absolute. */
  readonly directory: string;
  /** Walls stand around its commands. */
  readonly isWalled: boolean;
  /** The calls are those of an agent of others: nothing of ours holds its tools in the workspace. */
  readonly isForeign: boolean;
}

/** What holds for a part of a call that no rule fits. */
function usualRuling(part: CallPart, ruled: Omit<Ruled, 'directory'>): PermissionAction {
  const { profile } = ruled.permissions;
  if (profile === undefined) return withoutProfile(part, ruled.isForeign);
  if (profile === 'all' || part.purpose === 'talk') return 'allow';
  return PROFILES[profile](part, ruled);
}

const PROFILES: Readonly<
  Record<Exclude<PermissionProfile, 'all'>, (part: CallPart, ruled: Omit<Ruled, 'directory'>) => PermissionAction>
> = {
  read: (part) => (part.purpose === 'read' && isInside(part) ? 'allow' : 'ask'),
  edit: (part, { isWalled, isForeign, permissions }) => {
    if (part.purpose === 'command') {
      if (isWalled) return 'allow';
      // Without walls and without a person, commands go as they do without a profile.
      return permissions.unattended ? withoutProfile(part, isForeign) : 'ask';
    }
    if (part.purpose === 'other') return isForeign ? 'ask' : 'allow';
    return isInside(part) ? 'allow' : 'ask';
  },
};

/** Without a profile an agent of others may do what our own tools do: work in the workspace. */
const withoutProfile = (part: CallPart, isForeign: boolean): PermissionAction =>
  !isForeign || (part.purpose !== 'other' && isInside(part)) ? 'allow' : 'deny';

const isInside = ({ paths, isOpen }: CallPart): boolean => !isOpen && paths.every((path) => !path.startsWith('/'));

/** Whether a call may be tried. `because`: the rule, the profile or the person that says so. */
export interface CallRuling {
  readonly action: PermissionAction;
  readonly because: string;
  /** SHA-256 of exactly this call. */
  readonly digest: string;
  /** What a person may allow for good with it, by the names under which that is remembered. Empty: nothing is asked. */
  readonly remembers: readonly string[];
}

interface PartRuling {
  readonly action: PermissionAction;
  readonly because: string;
  /** The place of the rule. Null: no rule fits. */
  readonly rule: number | null;
  readonly part: CallPart;
}

const STRICTEST: readonly PermissionAction[] = ['deny', 'ask', 'allow'];

/**
 * Rules over a call: of each of its parts the first rule that fits counts, and of the parts the strictest. What would
 * be asked is let through where a person has allowed it, and denied where a person has denied it or none is there.
 */
export function callRuling(call: Called, ruled: Ruled, memory: PermissionMemory): CallRuling {
  const digest = signatureOf(call) ?? '';
  const ruling = (action: PermissionAction, because: string): CallRuling => ({
    action,
    because,
    digest,
    remembers: [],
  });
  const parts = partRulings(call, ruled);
  const [strictest] = byStrictness(parts);
  const { action = 'allow', because = '' } = strictest ?? {};
  if (action !== 'ask') return ruling(action, because);
  if (memory.isDenied(digest)) return ruling('deny', 'a person has denied exactly this call');
  if (memory.isAllowed(digest)) return ruling('allow', 'a person has allowed this call');
  const asked = parts.filter((one) => one.action === 'ask');
  const remembers = [...new Set(asked.map(({ part }) => part.remembered ?? digest))];
  const known = new Set([...(ruled.permissions.remembered ?? []), ...memory.remembered]);
  if (remembers.every((name) => known.has(name))) return ruling('allow', 'a person has allowed such calls');
  if (ruled.permissions.unattended) return ruling('deny', `${because}: a person would be asked, and none is there`);
  return { ...ruling('ask', because), remembers };
}

/** The places of the rules that fit a call, among those of its run. */
export const rulesFitting = (call: Called, ruled: Ruled): readonly number[] =>
  partRulings(call, ruled).flatMap(({ rule }) => (rule === null ? [] : [rule]));

const partRulings = (call: Called, ruled: Ruled): readonly PartRuling[] =>
  rulingsOver(callParts(call, ruled.directory), ruled);

/** The strictest ruling over some parts of a call, whatever people have said. */
export function strictestOf(parts: readonly CallPart[], ruled: Ruled): Pick<PartRuling, 'action' | 'because'> {
  return byStrictness(rulingsOver(parts, ruled))[0] ?? { action: 'allow', because: '' };
}

/**
 * The places outside of the workspace that an admitted call may read: what is to be asked runs only after a yes of a
 * person, and that was to exactly this call, or to such calls for good.
 */
export const readableAfterYes = (call: Called, ruled: Ruled): readonly string[] =>
  partRulings(call, ruled).flatMap(({ action, part: { purpose, paths } }) =>
    action === 'ask' && purpose === 'read' ? paths.filter((path) => path.startsWith('/')) : [],
  );

/** Tells if a rule denies a host to a tool. `place`: with or without a port. */
export function isHostDenied(place: string, { tool, arguments: given }: Called, ruled: Ruled): boolean {
  const [host = ''] = place.split(':');
  return strictestOf([hostPart(host, [tool, 'fetch'], given)], ruled).action === 'deny';
}

const byStrictness = (rulings: readonly PartRuling[]): readonly PartRuling[] =>
  rulings.toSorted((one, other) => STRICTEST.indexOf(one.action) - STRICTEST.indexOf(other.action));

function rulingsOver(parts: readonly CallPart[], ruled: Ruled): readonly PartRuling[] {
  const { rules, profile } = ruled.permissions;
  return parts.map((part): PartRuling => {
    for (const [index, rule] of rules.entries()) {
      const fit = fitOf(rule, part);
      // What may be meant is asked: that is known only when it runs.
      if (fit === 'maybe' && rule.action !== 'allow')
        return { action: 'ask', because: `it may be what ${ruleText(rule)} is about`, rule: index, part };
      if (fit === 'yes') return { action: rule.action, because: ruleText(rule), rule: index, part };
    }
    const because = profile === undefined ? 'what agents of others may do here' : `profile ${profile}`;
    return { action: usualRuling(part, ruled), because, rule: null, part };
  });
}
