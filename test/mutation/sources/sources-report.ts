import { disagreements, lines, shareOf } from '../report.ts';
import { EDITS } from './edits.ts';
import { sourceSurvivors } from './source-survivors.ts';
import { type EditVerdict, triedEdits } from './try-edits.ts';
import { askedFor, type EditedFile, folders, testsNear } from './watched.ts';

/** Of the edits of each folder, at least so many are caught. */
const LEAST_CAUGHT = 0.9;

export interface SourcesReport {
  readonly text: readonly string[];
  /** Whether enough are caught in each folder, and those listed are the ones that survive. */
  readonly isGood: boolean;
}

/** Tries every edit of these folders and files, or of all folders. */
export async function sourcesReport(asked: readonly string[]): Promise<SourcesReport> {
  const unknown = asked.filter((name) => askedFor(name) === null);
  if (unknown.length > 0)
    return {
      text: [`no such folder, or file of one: ${unknown.join(', ')}; ${folders.join(', ')} are`],
      isGood: false,
    };
  const text: string[] = [];
  let isGood = true;
  for (const name of asked.length === 0 ? folders : asked) {
    const { folder, files } = askedFor(name) ?? { folder: 'budget', files: [] };
    const { verdicts, spoilt } = await triedEdits(testsNear(folder), files);
    const failing = spoilt.map((test) => `fails without an edit, after it ran under some: ${test}`);
    const wrong = [...wrongIn(name, files, verdicts), ...failing];
    const living = verdicts
      .filter(({ id }) => id in sourceSurvivors)
      .map(({ id }) => `- ${id}. ${sourceSurvivors[id]}`);
    text.push(...table(name, verdicts), '', `survivors, ${living.length}:`, ...living, '', ...wrong);
    // One file may have few edits: the share is that of a folder.
    if (wrong.length > 0 || (name === folder && shareOf(verdicts) < LEAST_CAUGHT)) isGood = false;
  }
  return { text, isGood };
}

/** Where the list is not what survives in a folder or a file. */
function wrongIn(name: string, files: readonly EditedFile[], verdicts: readonly EditVerdict[]): string[] {
  const known = new Set(files.flatMap(({ edits }) => edits.map(({ id }) => id)));
  const isOfIt = (id: string) => id.startsWith(`${name}/`) || id.startsWith(`${name} `);
  const listed = Object.entries(sourceSurvivors).filter(([id]) => isOfIt(id));
  return disagreements(verdicts, Object.fromEntries(listed), known);
}

function table(name: string, verdicts: readonly EditVerdict[]): string[] {
  const row = (what: string, some: readonly EditVerdict[]): string[] => [
    what,
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
  return lines([[`src/${name}`, 'edits', 'caught', 'share', 'run by no test'], ...rows, row('all', verdicts)]);
}
