import { askGit, GitError } from '../../../../git/process/git.ts';
import { nameText } from '../../../../git/process/git-names.ts';
import { LINES_BELOW, type MarkedLine, todoComments } from '../../discovery/todo-comments.ts';
import { grouped } from '../../../../text/money.ts';
import { never, type Source } from './source.ts';

const MAX_COMMENTS = 20_000;
/** Longer lines are of generated files. */
const MAX_LINE_CHARS = 1_000;
/** Git found nothing. */
const NOTHING = 1;

/** TODO and FIXME comments in the files of the head that git does not ignore. */
export const todos: Source = {
  name: 'todos',
  canChange: never,
  find: async ({ settings: { directory }, signal }) => {
    const args = ['grep', '-z', '-n', '--no-column', '-I', '--untracked', '--no-color', `-A${LINES_BELOW}`, '-w', '-E'];
    const places = ['--', '.', ':(exclude,glob)**/.loopfold/**'];
    const said = await askGit([...args, 'TODO|FIXME', ...places], { directory, signal });
    if (said.exitCode > NOTHING) throw new GitError('git_failed', 'grep', said.stderr);
    const lines = markedLines(said.stdout);
    const items = todoComments(lines.slice(0, MAX_COMMENTS));
    return lines.length > MAX_COMMENTS ? { items, fault: tooMany(lines.length) } : { items };
  },
};

const tooMany = (count: number) => ({
  code: 'todos_too_many',
  message: `of ${grouped(count)} lines with TODO or FIXME the first ${grouped(MAX_COMMENTS)} are read`,
});

/** As git prints it with `-z`: the name of the file may have line breaks. */
const PRINTED = /(?:--\n)?([^\0]+)\0(\d+)\0([^\n]*)(?:\n|$)/gy;

/** Each line that git has found, with those below it. */
function markedLines(stdout: Uint8Array): readonly MarkedLine[] {
  const all = [...Buffer.from(stdout).toString('latin1').matchAll(PRINTED)];
  const marked: MarkedLine[] = [];
  for (const [index, [, name = '', number = '', text = '']] of all.entries()) {
    if (text.length > MAX_LINE_CHARS || !/\b(?:TODO|FIXME)\b/.test(text)) continue;
    const below = all
      .slice(index + 1, index + 1 + LINES_BELOW)
      .filter(([, other, at]) => other === name && Number(at) <= Number(number) + LINES_BELOW)
      .map(([, , , more = '']) => nameText(more));
    marked.push({ file: nameText(name), line: Number(number), text: nameText(text), below });
  }
  return marked;
}
