import { disagreements, lines, shareOf } from '../report.ts';
import { EDITS } from './edits.ts';
import { sourceSurvivors } from './source-survivors.ts';
import { type EditVerdict, triedEdits } from './try-edits.ts';
import { type Folder, filesOf, folders, isFolder } from './watched.ts';

/** Of the edits of each folder, at least so many are caught. */
const LEAST_CAUGHT = 0.9;

export interface SourcesReport {
  readonly text: readonly string[];
  /** Whether enough are caught in each folder, and those listed are the ones that survive. */
  readonly isGood: boolean;
}

/** Tries every edit of these folders, or of all of them. */
export async function sourcesReport(asked: readonly string[]): Promise<SourcesReport> {
  const unknown = asked.filter((name) => !isFolder(name));
  if (unknown.length > 0)
    return { text: [`no such folder: ${unknown.join(', ')}; ${folders.join(', ')} are`], isGood: false };
  const text: string[] = [];
  let isGood = true;
  for (const folder of asked.length === 0 ? folders : asked.filter(isFolder)) {
    const verdicts = await triedEdits(folder, filesOf(folder));
    const wrong = wrongIn(folder, verdicts);
    const living = verdicts
      .filter(({ id }) => id in sourceSurvivors)
      .map(({ id }) => `- ${id}. ${sourceSurvivors[id]}`);
    text.push(...table(folder, verdicts), '', `survivors, ${living.length}:`, ...living, '', ...wrong);
    if (wrong.length > 0 || shareOf(verdicts) < LEAST_CAUGHT) isGood = false;
  }
  return { text, isGood };
}

/** Where the list is not what survives in a folder. */
function wrongIn(folder: Folder, verdicts: readonly EditVerdict[]): string[] {
  const known = new Set(filesOf(folder).flatMap(({ edits }) => edits.map(({ id }) => id)));
  const listed = Object.entries(sourceSurvivors).filter(([id]) => id.startsWith(`${folder}/`));
  return disagreements(verdicts, Object.fromEntries(listed), known);
}

function table(folder: Folder, verdicts: readonly EditVerdict[]): string[] {
  const row = (name: string, some: readonly EditVerdict[]): string[] => [
    name,
    String(some.length),
    String(some.filter(({ finding }) => finding !== null).length),
    some.length === 0 ? '' : `${(100 * shareOf(some)).toFixed(1)} %`,
    String(some.filter(({ isRun }) => !isRun).length),
  ];
  const rows = EDITS.map((kind) =>
    row(
      kind,
      verdicts.filter((verdict) => verdict.kind === kind),
    ),
  );
  return lines([[`src/${folder}`, 'edits', 'caught', 'share', 'run by no test'], ...rows, row('all', verdicts)]);
}
