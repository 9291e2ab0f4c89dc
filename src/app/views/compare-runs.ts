import type { RecordedRuns } from '../records/runs-of-log.ts';
import type { RunRecord } from '../../log/event-store.ts';
import type { CompareView } from './compare-view.ts';
import { readRunView } from './read-run-view.ts';
import { type Move, readMoves } from './run-moves.ts';
import { MAX_LINE_CHARS, shownText } from './line-for-view.ts';
import type { RoundView, RunView } from './run-parts-view.ts';

type Host = Pick<RecordedRuns, 'log' | 'definitions'>;

/** Moves that are shown before the first difference, and from there on. */
const BEFORE = 4;
const AFTER = 40;

/** Compares runs: what they were given, where they first did something else, and what came of them. */
export async function compareRuns(host: Host, records: readonly RunRecord[]): Promise<CompareView> {
  const read = await Promise.all(records.map((record) => readRunView(host, record)));
  const views = read.filter((view) => view !== null);
  const told: (readonly Move[])[] = [];
  // One after the other: each run is read whole.
  for (const { run } of views) told.push(await readMoves(host, run));
  const alike = alikeIn(told);
  return {
    runs: views.map((view, index) => comparedRun(view, told[index]?.length ?? 0)),
    given: givenOf(views),
    alike,
    moves: movesFrom(told, alike),
    rounds: roundsOf(views),
    checks: checksOf(views),
    files: filesOf(views),
  };
}

function comparedRun(view: RunView, moves: number): CompareView['runs'][number] {
  const { run, task, loop, standing, checksPassed, tokens, costNanoUsd, toolCalls, ending, rounds, idleMs } = view;
  return {
    run,
    task,
    loop,
    standing,
    checksPassed,
    tokens,
    costNanoUsd,
    toolCalls,
    ending: ending && { kind: ending.kind, words: ending.words, reason: ending.reason },
    workedMs: Math.max(0, Date.parse(view.at) - Date.parse(view.startedAt) - idleMs),
    rounds: rounds.length,
    moves,
  };
}

/** What the runs were given, where it differs. */
function givenOf(views: readonly RunView[]): CompareView['given'] {
  const rows: readonly [string, (view: RunView) => string][] = [
    ['task', ({ task }) => task],
    ['loop', ({ machine }) => machine],
    ['strategy', ({ strategy }) => strategy ?? 'none'],
    ['model', ({ model }) => model],
    ['workspace', ({ directory }) => directory],
    ['limits', ({ limits }) => limits.map(({ name, limit }) => `${name} ${limit}`).join(', ')],
  ];
  return rows
    .map(([name, of]) => ({ name, cells: views.map((view) => shownText(of(view), MAX_LINE_CHARS)) }))
    .filter(({ cells }) => new Set(cells).size > 1);
}

/** How many moves from the start are the same in all of them. */
function alikeIn(told: readonly (readonly Move[])[]): number {
  const [first = [], ...others] = told;
  const differs = first.findIndex(({ key }, index) => others.some((moves) => moves[index]?.key !== key));
  return differs === -1 ? first.length : differs;
}

function movesFrom(told: readonly (readonly Move[])[], alike: number): CompareView['moves'] {
  const from = Math.max(0, alike - BEFORE);
  const most = Math.max(0, ...told.map((moves) => moves.length));
  return Array.from({ length: Math.max(0, Math.min(most, alike + AFTER) - from) }, (_, offset) => {
    const here = told.map((moves) => moves[from + offset] ?? null);
    return {
      number: from + offset + 1,
      isSame: new Set(here.map((move) => move?.key)).size === 1,
      cells: here.map((move) => move && { run: move.run, version: move.version, type: move.type, text: move.text }),
    };
  });
}

function roundsOf(views: readonly RunView[]): CompareView['rounds'] {
  const most = Math.max(0, ...views.map(({ rounds }) => rounds.length));
  return Array.from({ length: most }, (_, index) => ({
    number: index + 1,
    cells: views.map(({ rounds }) => roundCell(rounds[index])),
  }));
}

function roundCell(round: RoundView | undefined): CompareView['rounds'][number]['cells'][number] {
  if (!round) return null;
  const { attempt, passed, checks, changed, decision } = round;
  const failing = checks.reduce(
    (sum, { failing: tests, passed: isGreen }) => sum + (tests.length || Number(!isGreen)),
    0,
  );
  return { attempt, passed, failing, files: changed.length, decision: decision?.action ?? null };
}

function checksOf(views: readonly RunView[]): CompareView['checks'] {
  const names = new Map(views.flatMap(({ checks }) => checks.map((one) => [`${one.level} ${one.name}`, one] as const)));
  return [...names.values()].map(({ level, name }) => ({
    level,
    name,
    cells: views.map(({ checks }) => checks.find((one) => one.level === level && one.name === name)?.passed ?? null),
  }));
}

function filesOf(views: readonly RunView[]): CompareView['files'] {
  const paths = [...new Set(views.flatMap(({ files }) => files.map(({ path }) => path)))].toSorted();
  return paths.map((path) => ({
    path,
    cells: views.map(({ files }) => {
      const found = files.find((one) => one.path === path);
      return found ? { added: found.added, removed: found.removed } : null;
    }),
  }));
}
