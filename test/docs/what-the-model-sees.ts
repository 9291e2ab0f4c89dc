import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Loops } from '../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { run } from '../repository/tool.ts';
import { modelServer, type ServedRequest } from '../support/model-server/server.ts';

// docs/guides/what-the-model-sees.md is made of the requests that a server got in a real run.

export const PAGE = 'docs/guides/what-the-model-sees.md';

const FILES = {
  'AGENTS.md': 'Prices are whole cents. Never use floating point for money.\n',
  'package.json': '{ "type": "module" }\n',
  'src/price.js': 'export const total = (cents, percent) => cents - (cents * percent) / 100;\n',
  'test/price.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../src/price.js';

test('takes the discount off', () => assert.equal(total(1_000, 10), 900));
test('rounds half a cent down', () => assert.equal(total(999, 50), 499));
test('never goes below zero', () => assert.equal(total(100, 150), 0));
`,
  // A runner that names no test in what it prints.
  'test/brief.js': `export default async function* brief(events) {
  for await (const { type } of events) if (type === 'test:fail') yield '1 failed\\n';
}
`,
};

const edit = (oldText: string, newText: string) => ({
  tool: 'edit',
  arguments: { path: 'src/price.js', oldText, newText },
});
const FIRST = 'export const total = (cents, percent) => cents - (cents * percent) / 100;';
const SECOND = 'export const total = (cents, percent) => Math.floor(cents - (cents * percent) / 100);';
const THIRD = 'export const total = (cents, percent) => Math.max(0, Math.floor(cents - (cents * percent) / 100));';
const ANSWERS = [
  { text: 'I read the function and its tests.', calls: [{ tool: 'read', arguments: { path: 'src/price.js' } }] },
  { text: 'Half a cent is rounded down.', calls: [edit(FIRST, SECOND)] },
  { text: 'Fixed: `total` rounds down to whole cents. I did not run the tests.' },
  { text: 'A discount above 100 % must not go below zero.', calls: [edit(SECOND, THIRD)] },
  { text: 'Done: `total` rounds down and never goes below zero.' },
];

interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
}

/** What a run told its model, as the API got it, and what the model said. */
export interface RecordedConversation {
  readonly system: string;
  readonly tools: readonly string[];
  /** The first prompts of both attempts. */
  readonly prompts: readonly [string, string];
  /** All messages of the last request of each attempt. */
  readonly attempts: readonly [readonly ChatMessage[], readonly ChatMessage[]];
  readonly ending: string;
}

const messagesOf = ({ body }: ServedRequest): readonly ChatMessage[] =>
  (body as { readonly messages: readonly ChatMessage[] }).messages;

/** Plays the run. Where and when it is played is replaced by what the page says. */
export async function recordedConversation(): Promise<RecordedConversation> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loopfold-conversation-')));
  const server = await modelServer({ answers: ANSWERS });
  try {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    run('git', ['init', '--quiet', '--initial-branch=main'], folder);
    const environment = { OPENAI_API_KEY: 'sk-test-0123456789', OPENAI_BASE_URL: server.url };
    const loops = new Loops({ log: memoryLog(), environment });
    const live = await loops.start({
      prompt: 'Prices with a discount are wrong. Mend `total`.',
      model: 'openai-chat/any',
      directory: folder,
      checks: ['L1:node --test --test-reporter=./test/brief.js'],
      maxIterations: 3,
    });
    const end = await live.done;
    const requests: readonly ServedRequest[] = JSON.parse(
      JSON.stringify(server.requests)
        .replaceAll(folder, '/srv/shop')
        .replaceAll(`Platform: ${process.platform} ${process.arch}`, 'Platform: linux x64')
        .replace(/Date: \d{4}-\d\d-\d\d/g, 'Date: 2026-11-25'),
    );
    const [first, , third, fourth, fifth] = requests;
    if (end.kind !== 'ended' || !first || !third || !fourth || !fifth) throw new Error(JSON.stringify(end));
    return conversationOf(first, { first: third, second: fifth }, fourth, end.outcome.ending);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function conversationOf(
  opening: ServedRequest,
  last: { readonly first: ServedRequest; readonly second: ServedRequest },
  again: ServedRequest,
  ending: string,
): RecordedConversation {
  const textIn = (request: ServedRequest, role: ChatMessage['role']) =>
    messagesOf(request).find((message) => message.role === role)?.content ?? '';
  const { tools } = opening.body as { readonly tools: readonly { readonly function: { readonly name: string } }[] };
  return {
    system: textIn(opening, 'system'),
    tools: tools.map((tool) => tool.function.name),
    prompts: [textIn(opening, 'user'), textIn(again, 'user')],
    attempts: [messagesOf(last.first), messagesOf(last.second)],
    ending,
  };
}

const fenced = (text: string): string => `~~~text\n${text.trimEnd()}\n~~~`;

/** The conversation of an attempt below its first prompt. */
const after = (messages: readonly ChatMessage[]): string =>
  messages
    .slice(2)
    .flatMap(({ role, content, tool_calls: calls = [] }) => [
      ...(content ? [`${role}: ${content}`] : []),
      ...calls.map(({ function: { name, arguments: given } }) => `${role} calls ${name} ${given}`),
    ])
    .join('\n');

/** The page. */
export function conversationPage({ system, tools, prompts, attempts, ending }: RecordedConversation): string {
  const [first, second] = prompts;
  const [begun, ended] = ANSWERS.filter((answer) => !('calls' in answer)).map(({ text }) => text);
  return `# What the model sees

<!-- Made by \`npm run docs\` from a real run: see test/docs/what-the-model-sees.ts. -->

This is one run, recorded: the requests as the API of a provider got them. The task is to mend a function. The
checks run in a [proof](proof.md), the first attempt fails, and the second succeeds.
\`loopfold show --prompt\` shows the same of a run of yours.

## The system prompt

It is the same in every request of the run ([agents](agents.md#the-agent-that-ships)), with the
[instructions of the project](agents.md#instructions-of-the-project) at its end:

${fenced(system)}

Beside it go the descriptions of the tools: ${tools.map((tool) => `\`${tool}\``).join(', ')}.

## The first prompt

The task; the checks, and what each proves; what fails before any work, by name. The test runner of this project
prints no names: they come from the runner itself ([verification](verification.md)).

${fenced(first)}

## The first attempt

What is sent again with every request grows at its end alone, so a provider reads the beginning from its cache:

${fenced(after(attempts[0]))}

Its last answer calls no tool, so the attempt is over: “${begun}”

## What the second attempt is told

The check fails, and another attempt begins. It has the task and the checks, what the attempt before said and
changed, and each failed test:

${fenced(second)}

## The second attempt

${fenced(after(attempts[1]))}

Its last answer: “${ended}” The check passes, and the run ends in \`${ending}\`.
`;
}
