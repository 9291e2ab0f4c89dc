import type { PermissionAction, PermissionProfile, Permissions } from '../../machines/permissions.ts';
import type { CallPart } from './call-parts.ts';

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
export function usualRuling(part: CallPart, ruled: Omit<Ruled, 'directory'>): PermissionAction {
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
