import { callOf } from '../../../actors/capture-repository.ts';
import { goneFault, sharedFault } from '../../../actors/worktree-faults.ts';
import { readStateFile } from '../../../actors/state-file/read-state-file.ts';
import { writeStateFile } from '../../../actors/state-file/write-state-file.ts';
import { isIgnored } from '../../../git/file-listing.ts';
import { inheritRefs, runRefs } from '../../../git/run-refs.ts';
import { treePatch } from '../../../git/tree-change.ts';
import type { RunWorkspaces } from '../../../ports/run-workspaces.ts';
import type { EffectServices } from '../../../ports/services.ts';

/** The workspaces of runs as folders of this machine, with their captures in git. */
const gitWorkspaces: RunWorkspaces = {
  goneFault,
  sharedFault,
  patchOf: async ({ run, number }, at, mostCharacters) => {
    const call = callOf(at);
    const refs = await runRefs(run, call);
    const [from, to] = [refs.get(String(number - 1)), refs.get(String(number))];
    if (from === undefined || to === undefined) return null;
    const decoder = new TextDecoder();
    let text = '';
    for await (const part of treePatch({ from, to, leaveOut: [] }, call, true)) {
      text += decoder.decode(part, { stream: true });
      if (text.length > mostCharacters) break;
    }
    return text.slice(0, mostCharacters + 1);
  },
  // The log goes first, as in every capture. Where git keeps nothing of that run, it decides by what it ignores now.
  inheritRules: (from, to, at) => inheritRefs(from, to, ['log', 0, 'rules'], callOf(at)).catch(() => {}),
  isIgnored,
};

/** The workspaces of this machine, and the state files in them. */
export const workspaceServices: Pick<EffectServices, 'workspaces' | 'stateFiles'> = {
  workspaces: gitWorkspaces,
  stateFiles: { read: readStateFile, write: writeStateFile },
};
