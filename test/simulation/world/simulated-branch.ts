/** What an integration is about to commit. */
export interface BranchCommit {
  readonly candidate: string;
  /** The newest commit that the loop knows of. Null: it has made none. */
  readonly parent: string | null;
  readonly tree: string;
}

/** The branch of an improvement loop and the files of its worktree, as the disk has them: no crash undoes them. */
export class SimulatedBranch {
  /** The tree that the worktree has the files of. */
  files = 'tree-0';
  /** Every commit that the branch was moved to, oldest first. */
  readonly moves: BranchCommit[] = [];

  get tip(): string | null {
    const newest = this.moves.at(-1);
    return newest === undefined ? null : commitName(newest);
  }

  /** Whether the branch is where the loop has left it, or a process that could not say so has made this very commit. */
  takes(commit: BranchCommit): boolean {
    return this.tip === commit.parent || this.isMade(commit);
  }

  isMade(commit: BranchCommit): boolean {
    return this.tip === commitName(commit);
  }

  /** Moves the branch, from where it was alone. False: another process has moved it. */
  move(commit: BranchCommit): boolean {
    if (!this.takes(commit)) return false;
    if (!this.isMade(commit)) this.moves.push(commit);
    return true;
  }
}

/** As git does, a commit has its name from what it holds. */
export const commitName = ({ candidate, parent, tree }: BranchCommit): string =>
  `${candidate}:${tree}@${parent?.split('@')[0] ?? 'base'}`;
