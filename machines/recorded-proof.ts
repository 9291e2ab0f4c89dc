import { z } from 'zod';

/** How many changed grounds, and how many tests of a kind, are recorded by name. */
export const MAX_NAMED = 100;

/** What the work has changed of what its checks rest on, and what the first leg has in place of it. */
export const GroundChange = z.strictObject({
  path: z.string(),
  /** `restored`: the base's file. `absent`: the base has none. `keys`: some keys are the base's. */
  how: z.enum(['restored', 'absent', 'keys']),
  keys: z.array(z.string()).optional(),
});
export type GroundChange = z.infer<typeof GroundChange>;

/** A test as reports name it. */
const TestName = z.strictObject({ file: z.string().nullable(), name: z.string(), occurrence: z.int().positive() });

/** Every test of a check on the base. */
export const BaseTests = z.strictObject({
  check: z.string(),
  /** Its runners said that these are all. */
  complete: z.boolean(),
  /** Read from lines that it printed, among which the work may print, too. */
  printed: z.literal(true).optional(),
  tests: z.array(
    TestName.extend({
      result: z.enum(['passed', 'failed', 'skipped']),
      /** Its result differed in a second run, and the list of flickering tests had no room for its name. */
      flickers: z.literal(true).optional(),
    }),
  ),
});
export type BaseTests = z.infer<typeof BaseTests>;

/** The tests of a check whose result differed between two runs on the base: the first by name. */
export const FlickeringTests = z.strictObject({
  check: z.string(),
  tests: z.array(TestName).max(MAX_NAMED),
  /** How many more there are. Absent: none, or it was recorded before they were counted. */
  more: z.int().positive().optional(),
});
export type FlickeringTests = z.infer<typeof FlickeringTests>;

/** What became of the tests of a check, with the grounds of the base. At most so many of each kind are named. */
const ProvenTests = z.strictObject({
  check: z.string(),
  /** Failed on the base, and pass now: how many, and the first. */
  turnedCount: z.int().nonnegative(),
  turned: z.array(TestName).max(MAX_NAMED),
  /** How many pass on both. */
  kept: z.int().nonnegative(),
  /** How many the base had not. */
  fresh: z.int().nonnegative(),
  /** That the base had, and that do not pass now: how many, and the first. */
  lostCount: z.int().nonnegative(),
  lost: z.array(TestName.extend({ how: z.enum(['failed', 'skipped', 'gone']) })).max(MAX_NAMED),
  /** No whole report was written, where there was one on the base. */
  reportMissing: z.boolean(),
});

/** A person who ruled on changed grounds, and through which door. */
export const Approver = z.strictObject({
  /** The name of a user of the system, or of a token. */
  name: z.string(),
  /** As git knows it. Null: git knows none. */
  email: z.string().nullable(),
  /**
   * `terminal`: typed where the difference was shown. `form`, `editor`: by a program in whose form or dialog anyone may
   * have said it, so that the work stays weak.
   */
  door: z.enum(['terminal', 'token', 'form', 'editor']),
});
export type Approver = z.infer<typeof Approver>;

/** How many characters of the diff of disputed grounds are recorded. */
export const MAX_DISPUTED_CHARACTERS = 12_000;

/**
 * The work fails with the grounds of the base and passes with its own, so what it changed of them decides. `told`: for
 * the first time. `asked`: again, so a person decides. `approved`, `denied`: a person has.
 */
const Dispute = z.strictObject({
  is: z.enum(['told', 'asked', 'approved', 'denied']),
  /** SHA-256 of the changes, and of the tests of the base that they decide about. */
  digest: z.string(),
  /** What the work changed of its grounds, as a patch, at most so many characters of it. */
  diff: z.string().max(MAX_DISPUTED_CHARACTERS),
  /** The tests of the base that fail with its grounds: how many, and the first by name. */
  testsCount: z.int().nonnegative(),
  tests: z.array(TestName).max(MAX_NAMED),
  /** Why, in the words of the person who decided. */
  reason: z.string().optional(),
  /** Who let these changes count. Absent: no person has, or none is known. */
  approver: Approver.optional(),
});
export type Dispute = z.infer<typeof Dispute>;

/** How many files get tests that must fail. */
export const MAX_CONTROLLED = 5;

/**
 * Tests that must fail were added to files of the start of which tests turned green. `held`: all of them failed.
 * `broken`: they fail where the work is not there, and with it do not. `unnoticed`: they do not fail there, either.
 */
const RecordedControl = z.strictObject({
  held: z.array(z.string()).max(MAX_NAMED),
  broken: z.array(z.string()).max(MAX_NAMED),
  unnoticed: z.array(z.string()).max(MAX_NAMED),
});

/**
 * The outcome of the control of one check. `tests`: tests that must fail were added to what its runner runs. `reading`:
 * an error was planted where it reads. `none`: nothing could be added. `bare`: an error was added that no assertion
 * makes, and no false assertion.
 */
export const CheckControl = z.strictObject({
  check: z.string(),
  by: z.enum(['tests', 'reading']),
  is: z.enum(['held', 'broken', 'unnoticed', 'bare', 'none']),
});
export type CheckControl = z.infer<typeof CheckControl>;

/** What held-out checks came to, on the base or on the work: as much of it as the agent may know. */
export const RecordedHeldOut = z.strictObject({
  checks: z.int().positive(),
  failed: z.int().nonnegative(),
  /** Of each check: how many tests with a name ran. Null: it wrote no whole report. */
  ran: z.array(z.int().nonnegative().nullable()),
  /** Files of the checkout in whose place the held-out ones were. */
  replaced: z.int().nonnegative(),
});
export type RecordedHeldOut = z.infer<typeof RecordedHeldOut>;

/** A package that is not installed as the manifest or the lockfile of a folder asks. */
export const UnmetDependency = z.strictObject({
  name: z.string(),
  /** The manifest, or the lockfile, from the top. */
  asked: z.string(),
  /** A version, or a range of them. */
  wanted: z.string(),
  /** Null: it is not installed. */
  installed: z.string().nullable(),
});
export type UnmetDependency = z.infer<typeof UnmetDependency>;

/**
 * What checks rest on outside of the captures, when a run began. `dependencies`: digests of the folders of installed
 * ones; `lasting` without the times that other worktrees change, too. Null: they cannot be computed here. `tools`: what
 * the programs that the checks name are found as, with what their files were like where a user can change them.
 */
export const RecordedSurroundings = z.strictObject({
  dependencies: z.array(z.strictObject({ path: z.string(), digest: z.string(), lasting: z.string() })).nullable(),
  tools: z.array(z.strictObject({ name: z.string(), path: z.string().nullable(), identity: z.string().nullable() })),
  /**
   * Files outside of the workspace that checks rest on: programs and scripts that they name by path, and what links of
   * the workspace lead to. Absent: recorded before these were looked at.
   */
  outside: z.array(z.strictObject({ path: z.string(), identity: z.string().nullable() })).optional(),
  /** Packages that were not installed as asked for already then. Absent: none, or it was not asked. */
  unmet: z.array(UnmetDependency).max(MAX_NAMED).optional(),
});
export type RecordedSurroundings = z.infer<typeof RecordedSurroundings>;

/** CPU time of all commands that a proof has run. */
export const CheckCost = z.strictObject({
  cpuMs: z.int().nonnegative(),
  /** The same of each check once. Absent: that is not what was run. */
  plainCpuMs: z.int().nonnegative().optional(),
});
export type CheckCost = z.infer<typeof CheckCost>;

/** What a verification in a proof checkout rests on, beside what its checks say. */
export const RecordedProof = z.strictObject({
  /** Hash of the tree that the run began with. */
  base: z.string(),
  /**
   * `base`: the work with the base's grounds. `work`: the work as it is; absent where both are one tree, or where the
   * first could not pass.
   */
  legs: z.array(z.strictObject({ leg: z.enum(['base', 'work']), tree: z.string(), passed: z.boolean() })),
  /** The first ones by path. */
  grounds: z.array(GroundChange).max(MAX_NAMED),
  /** How many there are. */
  groundsChanged: z.int().nonnegative(),
  /** Those among them that an earlier run changed, and no person approved. */
  inherited: z.array(z.string()).max(MAX_NAMED).optional(),
  /** What checks could not reach: all of the machine but their checkout, or nothing. */
  walls: z.enum(['full', 'none']),
  /** Why there are none. */
  wallsMissing: z.string().optional(),
  /** Files of installed dependencies that changed since the run began. Null: that cannot be known here. */
  dependenciesChanged: z.int().nonnegative().nullable(),
  /** The first of them. */
  dependenciesNamed: z.array(z.string()).max(MAX_NAMED).optional(),
  /** Programs that the checks name, and that are others than when the run began. */
  toolsChanged: z.array(z.string()).optional(),
  /** Files outside of the workspace that checks rest on, and that changed since the run began: the first by path. */
  outsideChanged: z.array(z.string()).max(MAX_NAMED).optional(),
  /** Packages of which manifest, lockfile and installation do not agree, and did when the run began: the first. */
  dependenciesUnmet: z.array(UnmetDependency).max(MAX_NAMED).optional(),
  /** Of each check that has tests by name. */
  tests: z.array(ProvenTests),
  /** Checks that run what they check, and that name no test. */
  unreported: z.array(z.string()),
  /** Checks that run what they check, and whose tests name no file, where the work changed files of no known kind. */
  unplaced: z.array(z.string()).optional(),
  /** Grounds that the work wrote to while its checks ran, and the base did not: the first by path. */
  touched: z.array(z.string()).max(MAX_NAMED).optional(),
  /** These files were checked before, and nothing ran again. */
  repeated: z.boolean().optional(),
  /** Changed grounds that the run was started to let count, and that the work rests on: the first by path. */
  allowed: z.array(z.string()).max(MAX_NAMED).optional(),
  /** The work as it is was not to be checked, though it differs from the first leg. */
  oneLeg: z.literal(true).optional(),
  /** The base passes the checks, and the work is the base. */
  unchanged: z.boolean(),
  /** Without walls: what leads from copied dependencies into the workspace. */
  pointersHome: z.int().nonnegative(),
  dispute: Dispute.optional(),
  /** Absent: the checks did not pass, or were recorded before there was a control. */
  control: RecordedControl.optional(),
  /** Of every check that ran. Absent: the checks did not pass, or were recorded before each check had one. */
  controls: z.array(CheckControl).optional(),
  /**
   * Tests that turned without the work: red when the run began, and green when the same files were checked again. They
   * are not among those that turned. Absent: none, or it was recorded before they were run again.
   */
  flaky: z.array(FlickeringTests).optional(),
  /** Tests that turned with the work, and failed when it was checked again: it does not pass. Absent: none. */
  unsteady: z.array(FlickeringTests).optional(),
  /** Checks that only read the work, failed on the base, and pass now. */
  turnedChecks: z.array(z.string()).optional(),
  /** Comments that silence compilers and linters: how many more than the base has, where checks are such. */
  suppressions: z.int().nonnegative().optional(),
  /** Files that are no grounds, in which tests of the base lie, and whose tests the work changed: the first by path. */
  testsInSources: z.array(z.string()).max(MAX_NAMED).optional(),
  /** Checks that had the network. */
  networked: z.array(z.string()).optional(),
  /** Absent: there are none, or the other checks did not pass. */
  heldOut: RecordedHeldOut.optional(),
  /** Absent: the system does not say it, or it was recorded before it was measured. */
  cost: CheckCost.optional(),
});
export type RecordedProof = z.infer<typeof RecordedProof>;
