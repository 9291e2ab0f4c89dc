import type { RunWorkspaces } from '../../../src/ports/run-workspaces.ts';

/** Workspaces that are on no disk: looking at them takes no time, and finds nothing. */
export const simulatedWorkspaces: RunWorkspaces = {
  goneFault: async () => null,
  sharedFault: async () => null,
  patchOf: async () => null,
  inheritRules: async () => {},
  isIgnored: async () => true,
};
