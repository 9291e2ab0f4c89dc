import type { RunSettings } from '../../../machines/settings.ts';
import type { CaptureInput } from './capture-actor.ts';
import { stateFilesOf } from '../../text/own-files.ts';

type Bounding = Pick<RunSettings, 'directory' | 'stateDirectory' | 'captureLimit'>;

/** The part of a run's settings that bounds each of its captures. */
export const captureBounds = (
  settings: Bounding,
): Pick<CaptureInput, 'leaveOut' | 'captureLimit'> & { readonly leaveOut: readonly string[] } => ({
  leaveOut: stateFilesOf(settings),
  captureLimit: settings.captureLimit,
});
