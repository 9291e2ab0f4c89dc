import type { FlickeringTests, RecordedHeldOut } from '../../machines/recorded-proof.ts';
import type { InheritedGround } from '../../machines/settings.ts';
import { amount } from '../text/money.ts';
import { head } from '../text/excerpt.ts';
import { pathText } from '../text/path-text.ts';

const MAX_TESTS = 10;
const MAX_NAME_CHARACTERS = 200;
const MAX_PATHS = 20;
const MAX_PATH_CHARACTERS = 200;
const MAX_RUNS = 5;

interface Beginning {
  readonly inherited?: readonly InheritedGround[] | undefined;
  readonly heldOut?: RecordedHeldOut | undefined;
  readonly flickering?: readonly FlickeringTests[] | undefined;
}

/** What the first prompt says beside how the checks go on what is there: a paragraph each. */
export const beginningText = ({ inherited = [], heldOut, flickering = [] }: Beginning): readonly string[] => [
  ...(inherited.length > 0 ? [inheritedText(inherited)] : []),
  ...(flickering.length > 0 ? [flickeringText(flickering)] : []),
  ...(heldOut ? [heldOutText(heldOut)] : []),
];

/** Names the runs that changed grounds before, for people as for models. */
export const inheritedText = (inherited: readonly InheritedGround[]): string =>
  `An earlier ${changesText(inherited)}. No person has approved that: the checks go by what was there before.`;

/** Names grounds that runs changed, and people have made their own. */
export const sinceText = (others: readonly InheritedGround[]): string =>
  `An earlier ${changesText(others)}, and others have changed that since. The checks go by what is there now.`;

/** Names runs that no log has. */
export function unloggedText(runs: readonly string[]): string {
  const named = runs.slice(0, MAX_RUNS).join(', ');
  const more = runs.length > MAX_RUNS ? ` and ${runs.length - MAX_RUNS} more` : '';
  return (
    `git keeps ${amount(runs.length, 'run')} that this log does not have: ${named}${more}. What they changed of tests and ` +
    'configuration counts as not approved.'
  );
}

function changesText(changed: readonly InheritedGround[]): string {
  const byRun = Map.groupBy(changed, ({ run }) => run);
  const changes = [...byRun].map(([run, some]) => {
    const paths = some.slice(0, MAX_PATHS).map(({ path }) => pathText(path, MAX_PATH_CHARACTERS));
    const more = some.length - paths.length;
    return `run ${run} changed ${paths.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  });
  return changes.join('; ');
}

const heldOutText = ({ checks }: RecordedHeldOut): string =>
  `When the checks pass, ${checks === 1 ? 'one more check runs' : `${checks} more checks run`} with files that are not ` +
  'here. You are told at most how many of them fail: do what the task says, and not only what the tests here ask for.';

function flickeringText(flickering: readonly FlickeringTests[]): string {
  const named = flickeringNames(flickering);
  const shown = named.slice(0, MAX_TESTS);
  const more = named.length - shown.length + unnamedFlickering(flickering);
  return [
    'The checks ran twice, and these tests passed in one run alone. It is not asked of you that they pass:',
    ...shown.map((name) => `- ${name}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
}

/** By file and name. */
export const flickeringNames = (flickering: readonly FlickeringTests[]): readonly string[] =>
  flickering.flatMap(({ tests }) =>
    tests.map(({ file, name }) => head(file === null ? name : `${file}: ${name}`, MAX_NAME_CHARACTERS)),
  );

/** How many flicker beside those that are named. */
export const unnamedFlickering = (flickering: readonly FlickeringTests[]): number =>
  flickering.reduce((sum, { more = 0 }) => sum + more, 0);
