import type { FlickeringTests, RecordedHeldOut } from '../../machines/recorded-proof.ts';
import { head } from '../text/excerpt.ts';

const MAX_TESTS = 10;
const MAX_NAME_CHARACTERS = 200;

interface Beginning {
  readonly heldOut?: RecordedHeldOut | undefined;
  readonly flickering?: readonly FlickeringTests[] | undefined;
}

/** What the first prompt says beside how the checks go on what is there: a paragraph each. */
export const beginningText = ({ heldOut, flickering = [] }: Beginning): readonly string[] => [
  ...(flickering.length > 0 ? [flickeringText(flickering)] : []),
  ...(heldOut ? [heldOutText(heldOut)] : []),
];

const heldOutText = ({ checks }: RecordedHeldOut): string =>
  `When the checks pass, ${checks === 1 ? 'one more check runs' : `${checks} more checks run`} with files that are not ` +
  'here. You are told at most how many of them fail: do what the task says, and not only what the tests here ask for.';

function flickeringText(flickering: readonly FlickeringTests[]): string {
  const named = flickeringNames(flickering);
  const more = named.length - MAX_TESTS;
  return [
    'The checks ran twice, and these tests passed in one run alone. It is not asked of you that they pass:',
    ...named.slice(0, MAX_TESTS).map((name) => `- ${name}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
}

/** By file and name. */
export const flickeringNames = (flickering: readonly FlickeringTests[]): readonly string[] =>
  flickering.flatMap(({ tests }) =>
    tests.map(({ file, name }) => head(file === null ? name : `${file}: ${name}`, MAX_NAME_CHARACTERS)),
  );
