import type { LevelResult } from '../../../machines/events.ts';
import { endingName } from '../../projections/phrases.ts';
import { roundNumber, type RoundRow } from '../../projections/round-table.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import { tail } from '../../text/excerpt.ts';
import { visible } from '../../text/visible.ts';
import type { CheckView, FileView, RoundView, RunView } from './run-parts-view.ts';

const MAX_OUTPUT_CHARS = 4_000;
const MAX_ANSWER_CHARS = 8_000;
const MAX_NAME_CHARS = 400;
const MAX_FILES = 500;

const shown = (text: string, most: number): string => visible(tail(text, most));

/** The rounds of a run, each with the tests that it turned green. */
export function roundViews(rows: readonly RoundRow[]): readonly RoundView[] {
  return rows.map((row, index) => roundView(row, rows[index - 1]?.levels ?? []));
}

function roundView(row: RoundRow, before: readonly LevelResult[]): RoundView {
  const { startedAt, durationMs, child, attempt, interrupted, answer, changed, passed, levels, decision, spend } = row;
  return {
    number: roundNumber(row),
    startedAt,
    durationMs,
    child,
    attempt: interrupted ?? (attempt && endingName(attempt)),
    answer: shown(answer, MAX_ANSWER_CHARS),
    changed: fileViews(changed),
    passed,
    checks: checkViews(levels, before),
    decision: decision && {
      version: decision.version,
      action: decision.action,
      reason: shown(decision.reason, MAX_ANSWER_CHARS),
    },
    findings: decision?.findings.map(({ detector, message }) => shown(`${detector}: ${message}`, MAX_NAME_CHARS)) ?? [],
    remarks: (row.remarks ?? []).map((remark) => shown(remark, MAX_NAME_CHARS)),
    tokens: spend.inputTokens + spend.outputTokens,
    costNanoUsd: spend.costNanoUsd ?? null,
  };
}

/** Checks with what failed in them before and does not now. */
export function checkViews(levels: readonly LevelResult[], before: readonly LevelResult[]): CheckView[] {
  return levels.flatMap(({ level, checks }) =>
    checks.map(({ name, passed, output, durationMs, tests }) => {
      const failing = tests?.failing ?? [];
      const still = new Set(failing.map((test) => test.name));
      const earlier = failingIn(before, level, name);
      return {
        level,
        name: shown(name, MAX_NAME_CHARS),
        passed,
        durationMs,
        tests: tests ? { passed: tests.passed, failed: tests.failed, skipped: tests.skipped } : null,
        failing: failing.map((test) => ({
          name: shown(test.name, MAX_NAME_CHARS),
          message: shown(test.message, MAX_OUTPUT_CHARS),
        })),
        turned: (tests || passed ? earlier : [])
          .filter((test) => !still.has(test))
          .map((test) => shown(test, MAX_NAME_CHARS)),
        output: passed ? '' : shown(output, MAX_OUTPUT_CHARS),
      };
    }),
  );
}

const failingIn = (levels: readonly LevelResult[], level: string, name: string): readonly string[] =>
  levels
    .filter((one) => one.level === level)
    .flatMap(({ checks }) => checks.filter((check) => check.name === name))
    .flatMap(({ tests }) => tests?.failing.map((test) => test.name) ?? []);

/** Changed files, the first of many. */
export const fileViews = (files: readonly FileView[]): FileView[] =>
  files.slice(0, MAX_FILES).map(({ path, added, removed }) => ({ path: shown(path, MAX_NAME_CHARS), added, removed }));

/** The table that the loop's own events put on the page. Null: none. */
export const tableView = (table: RunSummary['table']): RunView['table'] =>
  table === undefined
    ? null
    : {
        columns: [...table.columns],
        rows: table.rows.map((cells) => cells.map((cell) => shown(cell, MAX_NAME_CHARS))),
      };
