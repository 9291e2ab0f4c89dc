import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { environment, loopfold, MAIN, MODEL, project } from '../program.ts';

const PAINTS = ['mcp', ...MODEL, '--loop', 'turn', '--tools', 'ask_user'];

/** A client that has started the program as its server. */
async function clientIn(cwd: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const args = [MAIN, ...PAINTS];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, cwd, env: environment(), stderr: 'ignore' }),
  );
  return client;
}

test('X11 a client that goes away leaves its runs paused, and the next one resumes them', async () => {
  const asks = { tool: 'ask_user', arguments: { question: 'Which colour?' } };
  const cwd = await project({ answers: [{ calls: [asks] }, { text: 'Painted.' }] });
  const first = await clientIn(cwd);
  const started = await first.callTool({ name: 'start_run', arguments: { task: 'Paint.' } });
  const { run } = started.structuredContent as { run: string };
  await first.callTool({ name: 'run_status', arguments: { run, waitSeconds: 45 } });
  await first.close();
  await expect.poll(async () => (await loopfold(['show', run], { cwd })).stdout).toContain('paused');
  const second = await clientIn(cwd);
  await second.callTool({ name: 'resume_run', arguments: { run } });
  await second.callTool({ name: 'answer', arguments: { run, text: 'red' } });
  const status = () => second.callTool({ name: 'run_status', arguments: { run, waitSeconds: 45 } });
  await expect
    .poll(async () => (await status()).structuredContent)
    .toMatchObject({ state: 'ended', answer: 'Painted.' });
  await second.close();
});
