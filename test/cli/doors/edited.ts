import { PassThrough, Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import { onTestFinished } from 'vitest';
import { serveEditor } from '../../../src/cli/acp/serve-editor.ts';
import { Session } from '../../../src/cli/session.ts';
import { standardStreams } from '../../../src/cli/terminal/output.ts';

/** The SDK's client as an editor, which drives the program over two streams of this process. */
export interface Edited {
  readonly open: (directory: string) => Promise<acp.NewSessionResponse>;
  readonly load: (sessionId: string, directory: string) => Promise<acp.LoadSessionResponse>;
  readonly list: (cwd?: string) => Promise<acp.ListSessionsResponse>;
  readonly setMode: (sessionId: string, modeId: string) => Promise<acp.SetSessionModeResponse>;
  readonly cancel: (sessionId: string) => Promise<void>;
  readonly updates: acp.SessionUpdate[];
  /** What it was asked for, as its person reads it. */
  readonly asked: string[];
  readonly prompt: (session: string, text: string) => Promise<acp.PromptResponse>;
  /** The editor goes away. */
  readonly close: () => Promise<void>;
}

const { session, initialize } = acp.methods.agent;

/** Text as its person has seen it by now. */
export const textOf = (updates: readonly acp.SessionUpdate[], kind = 'agent_message_chunk'): string =>
  updates
    .flatMap((one) => (one.sessionUpdate === kind && 'content' in one ? [one.content] : []))
    .map((content) => (content && 'text' in content ? content.text : ''))
    .join('');

/** The option that its person chooses, of a request. Null: they close it. */
type Picks = (request: acp.RequestPermissionRequest) => string | null;

export async function edited(
  directory: string,
  flags: Readonly<Record<string, unknown>> = {},
  picks: Picks = () => null,
): Promise<Edited> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const model = `script:${directory}/model.json`;
  const given = { directory, color: false, trust: true, model, sandbox: 'off', ...flags };
  const stop = serveEditor(new Session(standardStreams(true), 'acp', given), { input, output });
  return editorOver({ input, output, stop }, picks);
}

interface Program {
  readonly input: Writable;
  readonly output: Readable;
  readonly stop: () => Promise<void>;
}

/** An editor over the input and the output of a program. */
export async function editorOver({ input, output, stop }: Program, picks: Picks): Promise<Edited> {
  const updates: acp.SessionUpdate[] = [];
  const asked: string[] = [];
  const app = acp
    .client({ name: 'test' })
    .onRequest(acp.methods.client.session.requestPermission, ({ params }) => {
      const [shown] = params.toolCall.content ?? [];
      asked.push(shown?.type === 'content' && shown.content.type === 'text' ? shown.content.text : '');
      const optionId = picks(params);
      return { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    })
    .onNotification(acp.methods.client.session.update, ({ params }) => void updates.push(params.update));
  const stream = acp.ndJsonStream(Writable.toWeb(input), Readable.toWeb(output) as ReadableStream<Uint8Array>);
  const { agent } = app.connect(stream);
  await agent.request(initialize, { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {} });
  let closing: Promise<void> | null = null;
  const close = () => (closing ??= stop());
  onTestFinished(close);
  const begin = (cwd: string) => ({ cwd, mcpServers: [] });
  return {
    updates,
    asked,
    close,
    open: (directory) => agent.request(session.new, begin(directory)),
    load: (sessionId, directory) => agent.request(session.load, { sessionId, ...begin(directory) }),
    list: (cwd) => agent.request(session.list, cwd === undefined ? {} : { cwd }),
    setMode: (sessionId, modeId) => agent.request(session.setMode, { sessionId, modeId }),
    cancel: (sessionId) => agent.notify(session.cancel, { sessionId }),
    prompt: (sessionId, text) => agent.request(session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
  };
}
