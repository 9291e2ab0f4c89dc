import { z } from 'zod';
import { Fault } from './outcome.ts';
import { RecordedSurroundings } from './recorded-proof.ts';
import { Isolation } from './settings.ts';
import { Share, Usage } from './usage.ts';
import { fact, unchanged } from './vocabulary.ts';

const count = z.int().nonnegative();

/** Where a discovery comes from. */
export const DiscoverySource = z.enum([
  'failing-tests',
  'skipped-tests',
  'type-errors',
  'lint',
  'benchmarks',
  'todos',
  'coverage',
  'logs',
  'runs',
  'items',
  'ideas',
]);
export type DiscoverySource = z.infer<typeof DiscoverySource>;

/** How long a plan may be. */
export const MAX_PLAN_CHARS = 20_000;

/** How many discoveries of one iteration are recorded: the most relevant. */
export const MAX_DISCOVERIES = 200;

/** Something that could be improved. */
export const Discovery = z.strictObject({
  /** Short, unique within its run, and the same in every iteration: `failing-tests-3f2a91c0`. */
  id: z.string(),
  title: z.string().max(200),
  /** What an agent needs to know to work on it: the message, the place. */
  summary: z.string().max(4_000),
  source: DiscoverySource,
  /** From 0 to 1. */
  relevanceScore: z.number().min(0).max(1),
  /** SHA-256, in hex, of the source and the text without what varies: line numbers, times, paths of machines. */
  fingerprint: z.string(),
  /** From the workspace. Absent: none is known. */
  file: z.string().optional(),
  /** The check, or the benchmark, that shows it. Absent: none does. */
  check: z.string().optional(),
});
export type Discovery = z.infer<typeof Discovery>;

/** A test by name, as its runner reports it. */
const NamedTest = z.strictObject({ file: z.string().nullable(), name: z.string(), occurrence: z.int().positive() });

/** How long the text of an acceptance test may be. */
export const MAX_ACCEPTANCE_CHARS = 20_000;

/**
 * A test that a planner wrote before the experiment. It was run on the head: these of its tests fail there in an
 * assertion, twice, and tests that must fail did in its file. It is a ground of the experiment.
 */
export const AcceptanceTest = z.strictObject({
  /** From the top of the repository. */
  path: z.string(),
  text: z.string().max(MAX_ACCEPTANCE_CHARS),
  /** The check whose runner takes it. */
  check: z.string(),
  /** Those that fail on the head. */
  red: z.array(NamedTest).min(1),
  /** Those that pass there. */
  green: z.array(NamedTest),
});
export type AcceptanceTest = z.infer<typeof AcceptanceTest>;

/**
 * What will show that a candidate is done, named before it is tried: it is so on the head, and must not be so with the
 * change. `none`: nothing will, so the change is kept on a branch of its own for a person.
 */
export const Witness = z.strictObject({
  kind: z.enum(['test', 'error', 'interval', 'lines', 'acceptance', 'none']),
  /** For people: which one, or why there is none. */
  text: z.string().max(500),
});
export type Witness = z.infer<typeof Witness>;

/**
 * What a change is worth. `witnessed`: its witness turned. `not regressed`: nothing was lost, and nothing shows that it
 * is done.
 */
export const CandidateGrade = z.enum(['witnessed', 'not regressed']);
export type CandidateGrade = z.infer<typeof CandidateGrade>;

/** What became of one source. */
const SourceReport = z.strictObject({
  source: DiscoverySource,
  found: count,
  /** It threw, or its input could not be read: the others went on. */
  fault: Fault.optional(),
});

/** The tiers of an evaluation, cheapest first. */
export const TierKind = z.enum([
  'ended',
  'applies',
  'contamination',
  'grounds',
  'focused',
  'anchors',
  'check',
  'resolves',
  'benchmark',
  'held-out',
  'witness',
]);
export type TierKind = z.infer<typeof TierKind>;

/** A comparison of two trees by measured pairs. */
export const Measurement = z.strictObject({
  pairs: count,
  /** Median of candidate divided by head: below 1 is an improvement where less is better. */
  ratio: z.number(),
  /** The 95 % bootstrap interval of that median. */
  low: z.number(),
  high: z.number(),
  seed: count,
  threshold: z.number(),
});
export type Measurement = z.infer<typeof Measurement>;

/** Why an effect of the loop has no result: cancelled, or lost in a crash. */
const interrupted = { reason: z.string(), usage: Usage.optional() };

/** The events of the improvement loop, beside those of every loop of attempts. */
export const improvementFacts = [
  fact('discovery.completed', {
    /** New ones, the most relevant first. */
    discoveries: z.array(Discovery).max(MAX_DISCOVERIES),
    sources: z.array(SourceReport),
    /** How many more were found that an earlier iteration has tried or integrated. */
    known: count,
    /** How many more were found than are recorded. */
    left: count,
    /** A source may find something else in the same tree: a model, a command, a file from outside. */
    canChange: z.boolean(),
    usage: Usage.optional(),
  }),
  fact('discovery.interrupted', interrupted),
  fact('filter.completed', {
    /** In the order in which they are tried. */
    candidates: z.array(Discovery),
    /** How many the minimum of relevance refused. */
    refused: count,
    /** How many more passed than are tried. */
    beyond: count,
    usage: Usage.optional(),
    /** The model's scores could not be used: the rules' scores stand. */
    fault: Fault.optional(),
  }),
  fact('filter.interrupted', interrupted),
  /**
   * Recorded together with the decision for it, or for the first of several that begin at once. `built`: its work was
   * done beside that of a candidate before it, and is evaluated now.
   */
  fact('experiment.started', { candidate: z.string(), reserved: Share.optional(), built: z.literal(true).optional() }, [
    unchanged,
  ]),
  /** A batch of a provider: its result is waited for, also after a crash. `reserved`: the most that it may use. */
  fact('batch.submitted', { batch: z.string(), requests: count, reserved: Share.optional() }, [unchanged]),
  fact(
    'plans.written',
    {
      plans: z.array(z.strictObject({ candidate: z.string(), text: z.string().max(MAX_PLAN_CHARS) })),
      /** Of candidates that begin and that no check shows: what came of their acceptance tests. */
      acceptance: z
        .array(
          z.union([
            z.strictObject({ candidate: z.string(), test: AcceptanceTest }),
            /** The reason why there is none. */
            z.strictObject({ candidate: z.string(), refused: z.string().max(2_000) }),
          ]),
        )
        .optional(),
      /** `batch`: by the provider's batch interface. */
      by: z.enum(['batch', 'calls']),
      usage: Usage.optional(),
      fault: Fault.optional(),
    },
    [unchanged],
  ),
  fact('plans.interrupted', interrupted),
  /** Its worktree is there. `base`: the hash of the tree that it begins with. */
  fact(
    'experiment.prepared',
    {
      candidate: z.string(),
      base: z.string(),
      directory: z.string(),
      isolation: Isolation,
      /** Absent: recorded before candidates named one. */
      witness: Witness.optional(),
      /** Of an experiment that was cut: the files that it had, with which this one begins. */
      continues: z.string().optional(),
      /** Installed dependencies once they were shared with the worktree, which changes the times of their files. */
      dependencies: RecordedSurroundings.shape.dependencies.optional(),
    },
    [unchanged],
  ),
  fact('experiment.refused', { candidate: z.string(), fault: Fault }),
  fact('preparation.interrupted', interrupted),
  /** What the experiment has made of its worktree. */
  fact('candidate.built', {
    candidate: z.string(),
    /** SHA-256 of the change. */
    modification: z.string(),
    base: z.string(),
    tree: z.string(),
    changed: z.array(z.strictObject({ path: z.string(), added: count.nullable(), removed: count.nullable() })),
  }),
  fact(
    'tier.completed',
    {
      candidate: z.string(),
      tier: z.string(),
      kind: TierKind,
      passed: z.boolean(),
      /** For people and models: why. */
      detail: z.string().max(4_000),
      durationMs: count,
      /** What failed once and passed when it was run again: no tier passes or fails by that alone. */
      flickered: z.array(z.string()).optional(),
      measurement: Measurement.optional(),
    },
    [unchanged],
  ),
  fact(
    'evaluation.completed',
    {
      candidate: z.string(),
      passed: z.boolean(),
      /** The tier that refused it. Null: it passed, or it could not be evaluated. */
      tier: z.string().nullable(),
      reason: z.string(),
      /** The tree of the head with the candidate's change. Null: it could not be made. */
      tree: z.string().nullable(),
      /** Of a change with which nothing is lost. Absent: something is, or it is from before changes had a grade. */
      grade: CandidateGrade.optional(),
      /** What turned, or why nothing shows that it is done. */
      because: z.string().optional(),
      /** Of a change that is not shown, and that no person decides about: the branch that has it. */
      apart: z.strictObject({ branch: z.string(), commit: z.string() }).optional(),
      /** The experiment was cut by a limit: its candidate is found again, and begins with what it has made. */
      cut: z.literal(true).optional(),
      /** What tiers with a price have cost. */
      usage: Usage.optional(),
    },
    [unchanged],
  ),
  fact('evaluation.interrupted', interrupted),
  fact('integration.approved', { digest: z.string(), reason: z.string().nullable() }),
  fact('integration.denied', { digest: z.string(), reason: z.string().nullable() }),
  fact('approval.interrupted', interrupted),
  fact('integration.completed', {
    candidate: z.string(),
    branch: z.string(),
    commit: z.string(),
    /** The hash of the tree that the next iteration begins with. */
    tree: z.string(),
    /** `branch`: it lies on a branch of its own, and the head of the loop has not moved. */
    to: z.enum(['head', 'branch']),
    /** The text of a pull request, where a person approved. */
    request: z.string().optional(),
    /** What the command that opens one printed, where it succeeded. */
    opened: z.string().max(4_000).optional(),
    usage: Usage.optional(),
  }),
  /** `reverted`: the tree was changed, and is again as it was. */
  fact('integration.failed', {
    candidate: z.string(),
    reason: z.string(),
    reverted: z.boolean(),
    usage: Usage.optional(),
  }),
  fact('integration.interrupted', interrupted),
] as const;
