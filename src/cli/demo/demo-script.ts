import { BROKEN, FAILING } from './project.ts';

/** Rounds down: the shares never exceed the bill, and cents are lost. */
const ROUNDED_DOWN = `export function split(cents, people) {
  return Array(people).fill(Math.floor(cents / people));
}
`;

/** The sum is right, and one person pays for it. */
const FIRST_PAYS = `export function split(cents, people) {
  const share = Math.floor(cents / people);
  const shares = Array(people).fill(share);
  shares[0] += cents - share * people;
  return shares;
}
`;

const FAIR = `export function split(cents, people) {
  const share = Math.floor(cents / people);
  const left = cents - share * people;
  return Array.from({ length: people }, (_, index) => (index < left ? share + 1 : share));
}
`;

const FILE = 'src/split.js';
const TESTS = 'test/split.test.js';
const read = (path: string) => ({ tool: 'read', arguments: { path } });
const edit = (oldText: string, newText: string, path = FILE) => ({
  tool: 'edit',
  arguments: { path, oldText, newText },
});
const shell = (command: string) => ({ tool: 'shell', arguments: { command } });

/**
 * A model that goes wrong the way models do: it believes itself, then fixes only what it was shown, then reads on.
 * `delayMs` is waited before each answer.
 */
export const demoScript = (delayMs: number) =>
  delayed(delayMs, [
    {
      answers: [
        { text: 'Let me see what there is.', calls: [read(FILE)] },
        { text: 'Math.round can charge too much. Rounding down is safe.', calls: [edit(BROKEN, ROUNDED_DOWN)] },
        { text: 'A quick try.', calls: [shell('node --test --test-name-pattern=even')] },
        { text: 'Fixed: shares are rounded down now, and the test passes.' },
      ],
    },
    {
      answers: [
        { text: 'A cent is missing. I look at the test that says so.', calls: [read(TESTS)] },
        { text: 'What is left over has to go to one person: the first.', calls: [edit(ROUNDED_DOWN, FIRST_PAYS)] },
        { text: 'Does it add up now?', calls: [shell('node --test --test-name-pattern=add')] },
        { text: 'Fixed: nothing is lost any more, and the failing test passes.' },
      ],
    },
    {
      answers: [
        { text: 'It adds up, but is not fair. I run everything.', calls: [shell('node --test')] },
        { text: 'The cents that are left go round, one each.', calls: [edit(FIRST_PAYS, FAIR)] },
        { text: 'All tests this time.', calls: [shell('node --test')] },
        { text: 'Fixed: shares differ by at most a cent and add up to the bill. All three tests pass.' },
      ],
    },
  ]);

/** A model that wants to look finished: it skips the test that fails, and in its folder no test fails any more. */
export const cheatScript = (delayMs: number) =>
  delayed(delayMs, [
    {
      answers: [
        { text: 'This test looks flaky. I skip it.', calls: [edit(FAILING, `test.skip${FAILING.slice(4)}`, TESTS)] },
        { text: 'Does everything pass?', calls: [shell('node --test')] },
        { text: 'Fixed: no test fails any more.' },
      ],
    },
  ]);

interface Answer {
  readonly text: string;
  readonly calls?: readonly { readonly tool: string; readonly arguments: object }[];
}

const delayed = (delayMs: number, attempts: readonly { readonly answers: readonly Answer[] }[]) => ({
  attempts: attempts.map(({ answers }) => ({ answers: answers.map((answer) => ({ ...answer, delayMs })) })),
});
