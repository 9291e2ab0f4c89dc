import type { Permissions, PermissionRule } from '../../machines/permissions.ts';
import { ruleText } from '../permissions/rule-text.ts';
import type { ParsedOptions } from './options.ts';

/**
 * The rules of a run from its options. Without any, its calls go as they would without rules; who does not want to wait
 * for a person has none.
 */
export function permissionsOf({
  permissions = [],
  permissionProfile: profile,
  wait,
}: Pick<ParsedOptions, 'permissions' | 'permissionProfile' | 'wait'>): { readonly permissions?: Permissions } {
  if (permissions.length === 0 && profile === undefined && wait !== false) return {};
  return {
    permissions: {
      rules: permissions,
      ...(profile === undefined ? {} : { profile }),
      ...(wait === false ? { unattended: true } : {}),
    },
  };
}

/** The options that lead to such rules. */
export const recordedPermissions = (recorded: Permissions | undefined) =>
  recorded
    ? {
        permissions: recorded.rules.map((rule: PermissionRule) => ruleText(rule)),
        ...(recorded.profile === undefined ? {} : { permissionProfile: recorded.profile }),
        ...(recorded.unattended ? { wait: false } : {}),
      }
    : {};
