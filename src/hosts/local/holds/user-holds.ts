import { join } from 'node:path';
import { stateFolder } from '../../../config/places.ts';
import type { Variables } from '../../../config/environment.ts';
import { sqliteHolds } from './sqlite-holds.ts';
import type { WorkspaceHolds } from '../../../ports/workspace-holds.ts';

const FILE = 'holds.db';

/** The registry that all programs of a user share, whatever logs they keep. */
export function userHolds(env: Variables): WorkspaceHolds {
  const folder = stateFolder(env);
  return folder === null ? NO_PLACE : sqliteHolds(join(folder, FILE));
}

const NO_PLACE: WorkspaceHolds = {
  take: () => ({
    kind: 'unavailable',
    why:
      'the home of this user does not exist, so another run may work in the same folder at the same time: ' +
      'set XDG_STATE_HOME to a folder',
  }),
};
