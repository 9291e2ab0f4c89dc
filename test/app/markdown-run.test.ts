import { expect, test } from 'vitest';
import { markdownRun } from '../../src/app/views/markdown-run.ts';
import { codeBlock, codeSpan } from '../../src/text/markdown-text.ts';
import { fc } from '../support/fast-check.ts';
import { AT, changeSaying, viewSaying } from './viewed.ts';

const HOSTILE = [
  'closes #12 @ada <script>alert(1)</script>',
  '```\n</details>\n# A heading\n[x](javascript:alert(1)) | cell |',
  '`` ` `` ~~~ ````` `\n\n---\n![](https://evil.example/x.png)',
  '\u202Eright to left\u0000\u001b[31m|`|',
];

/** What a reader of Markdown takes as its own, by the rules of CommonMark for code: no code in it. */
function withoutCode(markdown: string): string {
  const kept: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const opened = /^(`{3,})/.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (/^`+$/.test(line) && line.length >= fence.length) fence = null;
    } else if (opened !== null) fence = opened;
    else kept.push(line.replaceAll(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, ''));
  }
  expect(fence).toBeNull();
  return kept.join('\n');
}

const plainText = withoutCode(markdownRun(viewSaying('word'), changeSaying('word')));

test.each(HOSTILE)('W3 of a hostile text nothing is mark-up in the Markdown of a run: %j', (text) => {
  const markdown = markdownRun(viewSaying(text), changeSaying(text));
  expect(withoutCode(markdown).split('\n').toSorted()).toEqual(plainText.split('\n').toSorted());
});

test('W3 the Markdown of any text has the same words of its own', () => {
  const text = fc.string({ unit: fc.constantFrom('`', '|', '<', '\n', '~', 'a', ' ', '@', '#', '\\'), minLength: 1 });
  fc.assert(
    fc.property(text, (said) => {
      expect(withoutCode(markdownRun(viewSaying(`x${said}x`), changeSaying(`x${said}x`)))).toBe(plainText);
    }),
  );
});

test('W3 a text as code is on one line, or within a fence that it has not', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('`', 'a', '\n', ' '), maxLength: 30 }), (text) => {
      expect(codeSpan(text, 20)).not.toContain('\n');
      const [fence = '', ...lines] = codeBlock(text).split('\n');
      expect([fence, lines.at(-1)]).toEqual([expect.stringMatching(/^`{3,}$/), fence]);
      expect(lines.slice(0, -1).some((line) => line.includes(fence))).toBe(false);
    }),
  );
});

test('W3 the Markdown of a run says what was asked, changed and proven, and what it cost', () => {
  const markdown = markdownRun(viewSaying('word'), changeSaying('word'));
  const headings = [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title);
  expect(headings).toEqual(['Run ended: success, verified', 'Asked', 'Changed', 'Proven', 'Rounds', 'Cost']);
});

test('W3 the Markdown of a run that waits says what it asks, and what a person can do', () => {
  const question = { run: 'r', root: 'r', callId: '0.0', kind: 'access' as const, choices: [], remembers: [] };
  const asked = { ...question, text: 'to compare', allows: 'reading /etc/hosts', digest: 'd', diff: null, askedAt: AT };
  const waiting = { ...viewSaying('x'), ending: null, questions: [asked] };
  const next = [{ action: 'answer', words: 'It waits for you: answer what it asks' } as const];
  const markdown = markdownRun({ ...waiting, next }, null);
  expect(markdown).toContain('## Asks\n\n- `to compare`; it would allow `reading /etc/hosts`\n');
  expect(markdown).toContain('## Next\n\n- It waits for you: answer what it asks\n');
  expect(markdownRun({ ...viewSaying('x'), next }, null)).not.toContain('## Next');
});
