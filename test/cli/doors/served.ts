import { Client } from '@modelcontextprotocol/client';
import * as sdk from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import type { Script } from '../../../src/actors/model/script.ts';
import { DoorRuns } from '../../../src/cli/doors/door-runs.ts';
import { mcpServer } from '../../../src/cli/mcp/mcp-server.ts';
import { Session } from '../../../src/cli/session.ts';
import { standardStreams } from '../../../src/cli/terminal/output.ts';
import { project } from '../program.ts';

const CAN_ASK = { elicitation: { form: {} } };

export interface Called {
  readonly data: Readonly<Record<string, unknown>>;
  /** Why it failed; null where it did not. */
  readonly refused: string | null;
}

/** A client of this process, over the runs of a folder. It asks its person by `rules`. */
export interface Served {
  readonly door: DoorRuns;
  readonly asked: string[];
  readonly call: (tool: string, given?: Readonly<Record<string, unknown>>) => Promise<Called>;
  readonly names: () => Promise<readonly string[]>;
}

/** A session over a project, with the flags that its program was called with. */
const sessionIn = (directory: string, flags: Readonly<Record<string, unknown>> = {}): Session =>
  new Session(standardStreams(true), 'mcp', {
    directory,
    color: false,
    trust: true,
    model: `script:${directory}/model.json`,
    sandbox: 'off',
    ...flags,
  });

/** `rules`: what its person says to a request for a ruling, or fills into a form. Null: the client has no forms. */
export async function served(
  directory: string,
  flags: Readonly<Record<string, unknown>> = {},
  rules: 'approve' | 'deny' | Readonly<Record<string, string>> | null = null,
): Promise<Served> {
  const door = new DoorRuns(sessionIn(directory, flags));
  const [ours, theirs] = sdk.InMemoryTransport.createLinkedPair();
  await mcpServer(sdk, door).connect(ours);
  const client = new Client({ name: 'test', version: '0' }, { capabilities: rules === null ? {} : CAN_ASK });
  const asked: string[] = [];
  if (rules !== null)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: typeof rules === 'string' ? { ruling: rules } : rules };
    });
  await client.connect(theirs);
  onTestFinished(async () => {
    await client.close();
    await door.close();
  });
  return {
    door,
    asked,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (tool, given = {}) => {
      const { structuredContent, content, isError } = await client.callTool({ name: tool, arguments: { ...given } });
      const [first] = content;
      const text = first?.type === 'text' ? first.text : '';
      return { data: (structuredContent ?? {}) as Called['data'], refused: isError ? text : null };
    },
  };
}

const ASKS = { tool: 'ask_user', arguments: { question: 'Which colour?', choices: ['red', 'blue'] } };
const READS = { tool: 'request_read_access', arguments: { path: '/etc/hostname', reason: 'To greet it.' } };
export const WRITES = { tool: 'write', arguments: { path: 'wall.txt', content: 'red\n' } };
const TOOLS = 'write,ask_user,request_read_access';

/** A run that asks a question, writes a file, asks for a permission, and is done. */
const ASKING: Script = {
  answers: [{ calls: [ASKS] }, { calls: [WRITES] }, { calls: [READS] }, { text: 'Painted.' }],
};
export const TURN = { loop: 'turn', tools: TOOLS } as const;

export const asking = (): Promise<string> => project(ASKING);
