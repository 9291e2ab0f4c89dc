import { checksOfWork } from '../../config/clean-tree.ts';
import type { ProofSettings, RunSettings } from '../../../machines/settings.ts';
import { gitWorktree } from '../../git/git-worktree.ts';
import { runRefs } from '../../git/run-refs.ts';
import { DEPENDENCY_FOLDERS } from '../../options/defaults.ts';
import type { RunOptions } from '../../config/options.ts';
import { takesBaseline } from '../../loops/loop-abilities.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { callOf } from '../../actors/capture-repository.ts';
import { OptionsError } from '../start/options-error.ts';
import { faultAt } from '../../options/config-fault.ts';
import { noGit } from '../start/runnable.ts';
import { providedOutside } from './outside-provision.ts';
import type { Strictness } from '../../verification/strictness.ts';
import { heldOutOf, heldOutWithoutProof, wantsHeldOut } from './held-out-request.ts';

/** How the checks of a run are to prove its work, before it is known what it begins with. */
export type WantedProof = Omit<ProofSettings, 'base' | 'at' | 'head'>;

/**
 * The proof that these options ask for. Without being told where, checks run in one wherever it can be had; null: in
 * the workspace. Throws an `EnvironmentError` or an `OptionsError` where one is asked for that cannot be had.
 */
export async function proofOf(
  options: RunOptions,
  { directory, checks }: Pick<RunSettings, 'directory' | 'checks'>,
  loop: LoopDefinition,
): Promise<WantedProof | null> {
  const { checkIn, protect = [], unprotect = [], deps = [...DEPENDENCY_FOLDERS] } = options;
  const { provide = [], prepare = [], homePaths = [] } = options;
  if (checkIn === 'workspace' || checksOfWork(checks).length === 0) return withoutProof(options);
  // A chart of one's own may be from before there was a baseline.
  if (!takesBaseline(loop)) {
    if (checkIn === undefined) return withoutProof(options);
    throw new OptionsError([
      faultAt('checkIn', checkIn, `workspace, because ${loop.id} runs no checks before its first round`),
    ]);
  }
  const worktree = await gitWorktree(directory);
  if (worktree === null && checkIn === undefined) return withoutProof(options);
  if (worktree === null)
    throw await noGit(
      directory,
      'a proof is checked out of one',
      '; or let checks run in it, with --check-in workspace',
    );
  const provided = await providedOutside(worktree.root, provide);
  if (provided.kind === 'refused')
    throw new OptionsError([faultAt('provide', provided.path, `a path from ${worktree.root}: it ${provided.because}`)]);
  const heldOut = await heldOutOf(options, worktree.root);
  return {
    protect: [...protect],
    unprotect: [...unprotect],
    dependencies: [...deps],
    ...(provided.files.length === 0 ? {} : { provided: [...provided.files] }),
    ...(prepare.length === 0 ? {} : { prepare: [...prepare] }),
    ...(homePaths.length === 0 ? {} : { homePaths: [...homePaths] }),
    ...(heldOut ? { heldOut } : {}),
    ...strictnessOf(options),
  };
}

const withoutOne = (option: 'requireRed' | 'walls', value: unknown): OptionsError =>
  new OptionsError([
    faultAt(option, value, 'checks (--verify) that run in a proof: git, and not --check-in workspace'),
  ]);

type Asked = Strictness & Pick<WantedProof, 'wait' | 'requireRed'>;

const isYes = (option: RunOptions['requireRed']) => option === true || option === 'true';
const isNo = (option: RunOptions['wait']) => option === false || option === 'false';

/** What differs from the defaults. */
const strictnessOf = ({ allowGrounds = [], walls = 'try', ...options }: RunOptions): Asked => ({
  ...(allowGrounds.length === 0 ? {} : { allowGrounds: [...allowGrounds] }),
  ...(isNo(options.wait) ? { wait: false } : {}),
  ...(isYes(options.requireRed) ? { requireRed: true } : {}),
  ...(walls === 'try' ? {} : { walls }),
  ...(options.control === 'off' ? { control: 'off' } : {}),
  ...(options.legs === 'base' ? { legs: 'base' } : {}),
});

function withoutProof(options: RunOptions): null {
  if (wantsHeldOut(options)) throw heldOutWithoutProof(options);
  // They are not left out in silence: a person counts on them.
  if (isYes(options.requireRed)) throw withoutOne('requireRed', options.requireRed);
  if (options.walls === 'required') throw withoutOne('walls', options.walls);
  return null;
}

/** What a run begins with. */
export interface Beginning {
  readonly run: string;
  readonly settings: Pick<RunSettings, 'isolation' | 'directory' | 'checks'>;
  readonly base: string;
  readonly at: string;
}

/** The same, once it is known what the run begins with. */
export async function proofFrom(wanted: WantedProof, { run, settings, base, at }: Beginning): Promise<ProofSettings> {
  const refs = await runRefs(run, callOf(settings)).catch(() => null);
  return { ...wanted, base, at, head: refs?.get('head') ?? null };
}
