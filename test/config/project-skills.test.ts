import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decidingAmong } from '../../src/config/settings-places.ts';
import { projectSkills } from '../../src/config/project-skills.ts';
import { office } from '../hosts/local/office.ts';
import { folderWith } from './places.ts';

const RELEASE =
  '---\nname: release\ndescription: How a version is made.\nallowed-tools: shell\nmodel: large\n---\nTag it.\n';

test('G2 of a skill a model is told its name, its line and its path, and not its page', async () => {
  const folder = await folderWith({
    '.agents/skills/release/SKILL.md': RELEASE,
    '.agents/skills/release/notes.txt': 'Not a page.',
    '.claude/skills/style.md': '# Style\n\nShort lines.\nAnd more.\n',
  });
  const { instruction, warnings } = await projectSkills(folder);
  expect(instruction?.text.split('\n').slice(2)).toEqual([
    '- release (`.agents/skills/release/SKILL.md`): How a version is made.',
    '- style (`.claude/skills/style.md`): Short lines.',
  ]);
  expect(warnings).toEqual([]);
});

test('G2 a run offers its skills to a model that can read, and they set none of its options', async () => {
  const directory = await folderWith({ '.agents/skills/release/SKILL.md': RELEASE });
  const asked = async (tools: string[]) => {
    const { start, requests } = office({ answers: [{ text: 'done' }] });
    const live = await start({ tools, directory, instructions: 'project', sandbox: 'off' });
    await live.done;
    return requests[0];
  };
  const reading = await asked(['read']);
  expect(reading?.system).toContain('- release (`.agents/skills/release/SKILL.md`)');
  expect(reading?.tools.map(({ name }) => name)).toEqual(['read']);
  expect((await asked(['list']))?.system ?? '').not.toContain('release');
});

test('G2 at most 50 skills are shown, each with at most 300 characters, and the others are counted', async () => {
  const page = `---\ndescription: ${'x'.repeat(20_000)}\n`;
  const names = Array.from({ length: 60 }, (_, index) => `.agents/skills/s${index}.md`);
  const { instruction, warnings } = await projectSkills(
    await folderWith(Object.fromEntries(names.map((n) => [n, page]))),
  );
  const lines = instruction?.text.split('\n').slice(2) ?? [];
  expect(lines).toHaveLength(50);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(400);
  expect(warnings).toEqual(['no model is told of 10 further skills: at most 50 are shown']);
});

test('G2 a skill that leads out of the workspace is left out with a warning', async () => {
  const folder = await folderWith({ '.agents/skills/a.md': 'Fine.' });
  const outside = await folderWith({});
  await writeFile(join(outside, 'secret.md'), 'Of the person.');
  await symlink(join(outside, 'secret.md'), join(folder, '.agents/skills/b.md'));
  const { instruction, warnings } = await projectSkills(folder);
  expect(instruction?.text).not.toContain('Of the person');
  expect(warnings).toEqual(['.agents/skills/b.md leads out of the workspace, so no model is told of this skill']);
});

test('G2 a page of a skill that a run writes is one that later runs go by', () =>
  expect(decidingAmong(['.agents/skills/a/SKILL.md', 'skills/a.md'])).toEqual([
    { path: '.agents/skills/a/SKILL.md', decides: 'instructions' },
  ]));
