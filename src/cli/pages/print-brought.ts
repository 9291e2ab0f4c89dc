import type { BroughtChange, WorkspaceHeld } from '../../app/changes/apply-change.ts';
import type { NoChange } from '../../app/changes/run-change.ts';
import type { Session } from '../session.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { asJson } from './as-json.ts';
import { noChange } from './print-patch.ts';
import { decidingText } from '../../app/changes/settings-change-text.ts';
import { amount, plain } from '../../projections/phrases.ts';
import { pathText } from '../../text/path-text.ts';
import { shortId } from '../args/find-run.ts';
import { shellWords } from '../../text/shell-words.ts';
import type { CommandWords } from './next-commands.ts';

const MAX_NAME_CHARS = 200;
const nameOf = (path: string) => pathText(path, MAX_NAME_CHARS);

/** Each file that was written, or would be. */
const broughtLines = ({ files }: BroughtChange, check: boolean): string[] =>
  files.map(({ path, what }) => `${said(what, check).padEnd(said('removed', check).length)}  ${nameOf(path)}`);

const said = (what: BroughtChange['files'][number]['what'], check: boolean) => (check ? `would be ${what}` : what);

/** What came of it, and each file that was left. */
export function broughtSummary(verb: 'apply' | 'undo', brought: BroughtChange, check: boolean): string[] {
  const { kept, since, given, workspace, deciding, run } = brought;
  const left = check ? 'would be left   ' : 'left   ';
  return [
    ...(given === workspace ? [] : [`run ${run} was started in ${given}: ${COPIED}`]),
    ...kept.map(({ path, because, folder }) => `${left}  ${nameOf(path)}: ${because}${removal(folder)}`),
    ...since.map((path) => `${left}  ${nameOf(path)}: changed since ${DONE[verb]} ${brought.doneAt ?? 'before'}`),
    sentence(verb, brought, check),
    ...(verb === 'apply' && deciding.length > 0 ? [plain(decidingText(run, deciding, check))] : []),
  ];
}

const removal = (folder: string | undefined): string =>
  folder === undefined ? '' : `. To remove it, with everything in it: ${shellWords(['rm', '-rf', folder])}`;

const COPIED = 'the project of this log was copied or moved since, and only the files in it are meant';
const DONE = { apply: 'it was applied', undo: 'it was undone' } as const;

function sentence(verb: 'apply' | 'undo', brought: BroughtChange, check: boolean): string {
  const { kind, run, workspace, files, kept, paths, doneAt } = brought;
  const at = doneAt === null ? '' : `: ${DONE[verb]} at ${doneAt}`;
  const done = verb === 'apply' ? 'applied to' : 'undone in';
  switch (kind) {
    case 'nothing':
      if (paths === 0) return `nothing to ${verb}: run ${run} has changed no file`;
      return verb === 'apply'
        ? `nothing to apply: ${workspace} has the change of run ${run} already${at}`
        : `nothing to undo: ${workspace} has no change of run ${run}${at}`;
    case 'conflict':
      return `nothing ${check ? 'would be' : 'was'} written: ${amount(kept.length, 'file')} of ${workspace} ${
        kept.length === 1 ? 'is' : 'are'
      } in the way of run ${run}`;
    case 'done':
    case 'partial':
      return `run ${run} ${check ? `would be ${done}` : `was ${done}`} ${workspace}: ${amount(files.length, 'file')}${
        kept.length === 0 ? '' : `, and ${kept.length} left as ${kept.length === 1 ? 'it is' : 'they are'}`
      }`;
  }
}

/** What the user may want next. */
export function afterBringing(
  verb: 'apply' | 'undo',
  { kind, run, kept }: BroughtChange,
  check: boolean,
): readonly CommandWords[] {
  const id = shortId(run);
  if (kind === 'conflict')
    return [
      ['apply', id, '--branch', `change-${id}`],
      ['apply', id, '--patch', `change-${id}.patch`],
      ['diff', id],
    ];
  if (kind === 'partial' && verb === 'apply')
    return [
      ['apply', id],
      ['undo', id],
    ];
  if (kind === 'partial') {
    // No force removes a repository.
    const isForced = kept.some(({ folder }) => folder === undefined);
    return [...(isForced ? [['undo', id, '--force']] : []), ['diff', id]];
  }
  if (kind === 'nothing') return [];
  if (check) return [[verb, id]];
  return [[verb === 'apply' ? 'undo' : 'apply', id]];
}

const STATUS: { readonly [kind in BroughtChange['kind']]: number } = {
  done: EXIT.success,
  nothing: EXIT.success,
  // The workspace has changed since: the run is as good as before.
  conflict: EXIT.environment,
  // As a run that is finished in part.
  partial: EXIT.unverified,
};

/** Prints what `apply` or `undo` did. Returns the exit status. */
export function printBrought(
  session: Session,
  verb: 'apply' | 'undo',
  result: BroughtChange | NoChange | WorkspaceHeld,
  { check = false, json = false }: { readonly check?: boolean; readonly json?: boolean },
): number {
  if (result.kind === 'unknown_run' || result.kind === 'is_child') throw noChange(verb, result);
  if (result.kind === 'no_capture' || result.kind === 'held') throw noChange(verb, result);
  const { out, err } = session.streams;
  const next = afterBringing(verb, result, check).map((words) => session.again(words));
  if (json) out.line(asJson({ ...result, check, next }, 2));
  else {
    for (const line of broughtLines(result, check)) out.line(line);
    for (const line of broughtSummary(verb, result, check)) err.line(line);
    for (const command of next) err.line(`${err.colours.dim('next')}  ${command}`);
  }
  return STATUS[result.kind];
}
