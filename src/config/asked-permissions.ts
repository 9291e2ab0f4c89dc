import type { Permissions } from '../../machines/permissions.ts';
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
