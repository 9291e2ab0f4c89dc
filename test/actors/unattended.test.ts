import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { endlessBecause } from '../../src/actors/agent-shell.ts';
import { calling, completed, containing, timed, workspace } from './tools/workspace.ts';

const repository = async (): Promise<string> => {
  const { directory } = await workspace();
  const script = `git init -q . && git config user.name a && git config user.email a@example.org
    git config core.editor 'sleep 300; false' && git config sequence.editor 'sleep 300; false'
    git config core.pager 'sleep 300; false'
    for subject in one two three; do git commit -q --allow-empty -m $subject; done`;
  execFileSync('/bin/sh', ['-c', script], { cwd: directory });
  return directory;
};

test('B8 no editor and no pager of git keeps a command waiting, and messages stay as they are', async () => {
  const directory = await repository();
  const command =
    'git commit --amend --allow-empty && git rebase -q -i HEAD~1 && git -c color.ui=always -p log --format=%s';
  const [event] = await calling(directory, 'shell', { command, timeoutSeconds: 60 });
  expect(event).toEqual(timed(completed(containing('three\ntwo\none\n'))));
});

test('B8 a command finds no terminal, and its input at its end', async () => {
  const { directory } = await workspace();
  const command = '[ -t 0 ] || [ -t 1 ] || echo none; read -r answer || echo end; (: < /dev/tty) 2>&1 || echo refused';
  const [event] = await calling(directory, 'shell', { command, timeoutSeconds: 60 });
  expect(event).toEqual(timed(completed(expect.stringMatching(/^none\nend\n.*\/dev\/tty.*\nrefused\n$/))));
});

test('B8 npm does not look for its newest version', async () => {
  const { directory } = await workspace();
  const [event] = await calling(directory, 'shell', { command: 'npm config get update-notifier' });
  expect(event).toEqual(timed(completed('false\n')));
});

test('B8 the commands of an agent are run by bash', async () => {
  const { directory } = await workspace();
  const command = 'set -o pipefail; all=(a b); echo "${#all[@]} ${BASH##*/}"';
  expect(await calling(directory, 'shell', { command })).toEqual([timed(completed('2 bash\n'))]);
});

test('B8 neither CI nor NO_COLOR is set, and a variable of the person that a run passes on is kept', async () => {
  const { directory } = await workspace();
  process.env['EDITOR'] = 'ed';
  const command = 'echo "${CI-no}" "${NO_COLOR-no}" "$EDITOR"';
  const events = await calling(directory, 'shell', { command }, { environment: ['EDITOR'] });
  delete process.env['EDITOR'];
  expect(events).toEqual([timed(completed('no no ed\n'))]);
});

test('B8 a command that its time has ended is said to wait for an answer where it asked', async () => {
  const { directory } = await workspace();
  const command = 'printf "done\\nOverwrite a.txt? [y/N] "; sleep 300';
  const [event] = await calling(directory, 'shell', { command, timeoutSeconds: 1 });
  expect(event).toMatchObject({
    payload: { fault: { message: containing('[ended after 1 s without result: it seems to wait for an answer') } },
  });
});

const WATCH = 'it seems to watch files, which never ends: run it once, without watch mode';
const ASKS = 'it seems to wait for an answer, and commands have no input: answer by a flag such as --yes, or a file';
test.each([
  ['npm test', '> node --test --watch\n✔ ok\n', WATCH],
  ['vitest --watch', '', WATCH],
  [
    'npm test',
    'Test Files  1 passed\n PASS  Waiting for file changes...\n       press h to show help, press q to quit',
    WATCH,
  ],
  ['tsc -p .', 'Found 0 errors. Watching for file changes.\n', WATCH],
  ['npm test', 'Watch Usage\n › Press f to run only failed tests.\n', WATCH],
  ['vitest --watch=false', 'one\n', null],
  ['npm init', 'Press ^C at any time to quit.\npackage name: (g) ', null],
  ['npm init', 'Press ^C at any time to quit.\npackage name: ', ASKS],
  ['sudo true', '[sudo] password for ann: ', ASKS],
  ['ssh host', 'Are you sure you want to continue connecting (yes/no/[fingerprint])? ', ASKS],
  ['./setup', 'Press any key to continue...', ASKS],
  ['make', 'compiling a.c\n', null],
  ['make', 'is it there?\n', null],
])('B8 the reason why %s does not end is read from what it printed: %j', (command, output, because) => {
  expect(endlessBecause(command, output)).toBe(because);
});
