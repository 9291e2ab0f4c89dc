import { expect, test } from 'vitest';
import { z } from 'zod';
import { Config } from '../../src/config/config.ts';
import { readAgent } from '../../src/config/agents/read-agent.ts';
import { frontMatter, linesOf } from '../../src/config/agents/front-matter.ts';
import { configJsonSchema } from '../../src/config/json-schema.ts';
import { OPTION_ROWS, OPTIONS } from '../../src/options/option-table.ts';
import { reasonToAsk } from '../../src/config/trust-rules.ts';
import { examplesOf, pages } from '../docs/examples.ts';

const PAGE = 'docs/guides/configuration.md';
const page = (pages().get(PAGE) ?? '').replaceAll(/\s+/g, ' ');

test('the examples of a configuration are some, by the schema that ships and by ours', () => {
  const schema = z.fromJSONSchema(configJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]);
  const examples = examplesOf('json')
    .filter(({ file }) => file === PAGE)
    .map(({ code }) => JSON.parse(code));
  expect(examples.length).toBeGreaterThan(0);
  for (const { $schema, ...config } of examples) {
    expect(schema.safeParse({ $schema, ...config }).error).toBeUndefined();
    expect(Config.safeParse(config).error).toBeUndefined();
  }
});

test('what the guide says is used without a question is what is', () => {
  const isHarmless = (option: string) =>
    reasonToAsk({
      kind: 'text',
      text: '',
      sha256: '',
      isOthers: false,
      path: '',
      folder: '',
      json: { value: { [option]: 1 } },
    }) === null;
  const listed = /nothing but ((?:`\w+`,? ?)+(?:and )?`\w+`) and the caps/.exec(page)?.[1] ?? '';
  const named = [...listed.matchAll(/`(\w+)`/g)].map(([, option = '']) => option);
  expect([...named, ...OPTIONS.filter((option) => option.startsWith('max'))].toSorted()).toEqual(
    OPTIONS.filter(isHarmless).toSorted(),
  );
});

test('the agent on the page is one', () => {
  const [example] = examplesOf('markdown').filter(({ file }) => file === 'docs/guides/agents.md');
  const found = frontMatter(linesOf(example?.code ?? ''));
  const read = found && readAgent({ ...found, name: 'Reviewer', file: '/agents.md', isForeign: false, others: null });
  expect(read).toMatchObject({ kind: 'agent', agent: { warnings: [], options: { maxSteps: 10, maxToolCalls: 30 } } });
});

test('no word about an option breaks a table', () => {
  for (const { means } of Object.values(OPTION_ROWS)) expect(means).not.toMatch(/[|\n]/);
});
