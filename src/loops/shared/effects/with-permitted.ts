import { MAX_REMEMBERED } from '../../../../machines/permissions.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import type { EffectServices } from '../../../ports/services.ts';

/** Where it is known what people have allowed. */
export type PermittedSources = Pick<EffectServices, 'permittedCalls'>;

/** The settings of a child, with what people have allowed for good in the runs of its tree since these began. */
export async function withPermitted(
  settings: RunSettings,
  run: string,
  { permittedCalls }: PermittedSources,
): Promise<RunSettings> {
  const { permissions } = settings;
  if (!permissions) return settings;
  const known = permissions.remembered ?? [];
  const remembered = [...new Set([...known, ...(await permittedCalls(run))])].slice(-MAX_REMEMBERED);
  return remembered.length === known.length ? settings : { ...settings, permissions: { ...permissions, remembered } };
}
