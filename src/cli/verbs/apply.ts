import { shellWords } from '../../text/shell-words.ts';
import type { ChangeBranch } from '../../app/changes/change-branch.ts';
import type { App } from '../../app/app.ts';
import { decidingIn } from '../../app/changes/change-of-settings.ts';
import { decidingText } from '../../app/changes/settings-change-text.ts';
import { plain } from '../../projections/phrases.ts';
import { type RunReference, shortId, takenRun } from '../args/find-run.ts';
import { asJson } from '../pages/as-json.ts';
import { Complaint, usage } from '../pages/complaint.ts';
import { noChange, printPatch, writePatch } from '../pages/print-patch.ts';
import { printBrought } from '../pages/print-brought.ts';
import type { Session } from '../session.ts';
import { EXIT } from '../terminal/exit-status.ts';

export interface ApplyFlags {
  readonly branch?: string;
  readonly patch?: string;
  readonly check?: boolean;
  readonly json?: boolean;
}

/** Brings the change of a run into its workspace, onto a branch, or into a patch. */
export async function apply(session: Session, reference: RunReference, flags: ApplyFlags): Promise<number> {
  const { branch, patch, check = false } = flags;
  if ([branch !== undefined, patch !== undefined, check].filter(Boolean).length > 1)
    throw usage('apply', 'one of --branch, --patch and --check', 'several');
  const loops = await session.loops('read', { runs: [reference], otherwise: 'ignore' });
  try {
    const { run } = await takenRun(session, loops.log, reference);
    if (branch !== undefined) return branched(session, await loops.branch(run, branch), flags);
    if (patch !== undefined) return await patched(session, loops, run, patch);
    return printBrought(session, 'apply', await loops.apply(run, { check }), flags);
  } finally {
    await loops.log.close();
  }
}

async function patched({ streams }: Session, loops: App, run: string, path: string): Promise<number> {
  const change = await loops.diff(run);
  if (change.kind !== 'change') throw noChange('apply', change);
  const deciding = decidingIn(change.files, []);
  if (deciding.length > 0) streams.err.line(plain(decidingText(run, deciding, true)));
  if (path === '-') {
    await printPatch(streams.out, change);
    return EXIT.success;
  }
  await writePatch(path, change);
  streams.err.line(`the change of run ${run} is in ${path}: git apply ${path}`);
  streams.err.line(`where it does not fit, git apply --reject ${path} writes the rest, and FILE.rej with what is left`);
  return EXIT.success;
}

/** Where nothing is committed yet, `git switch` would refuse to overwrite the files there. */
function branchLine({ run, branch, isFirst }: Extract<ChangeBranch, { kind: 'made' }>): string {
  const made = `the change of run ${run} is one commit on the new branch ${branch}`;
  if (!isFirst) return `${made}: ${shellWords(['git', 'switch', branch])}`;
  const head = shellWords(['git', 'symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
  return `${made}. Nothing is committed here yet. To go there with your files as they are: ${head} && git reset`;
}

function branched({ streams }: Session, made: ChangeBranch, { json }: ApplyFlags): number {
  const { out, err } = streams;
  switch (made.kind) {
    case 'made':
      if (json) out.line(asJson(made, 2));
      else {
        out.line(made.commit);
        err.line(branchLine(made));
        if (made.deciding.length > 0) err.line(plain(decidingText(made.run, made.deciding, true)));
      }
      return EXIT.success;
    case 'exists':
      throw usage('--branch', 'the name of a branch that does not exist yet', `'${made.branch}'`);
    case 'bad_name':
      throw usage('--branch', 'a name that git takes for a branch', `'${made.branch}'`);
    case 'beside':
      throw usage('--branch', `a name that fits beside the branch '${made.other}'`, `'${made.branch}'`);
    case 'nothing':
      err.line(`run ${made.run} has changed no file: no branch was made`);
      return EXIT.success;
    case 'conflict': {
      const left = made.kept.map(({ path, because }) => `${path}: ${because}`);
      const why = `the commit that run ${made.run} began on lacks what it changed: those files were not committed then`;
      const id = shortId(made.run);
      const next = ['apply', id, '--patch', `change-${id}.patch`];
      throw new Complaint(EXIT.environment, [why, ...left].join('\n'), next);
    }
    default:
      throw noChange('apply', made);
  }
}
