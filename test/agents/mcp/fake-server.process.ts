import { setTimeout as delay } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** A server with a tool for each way in which servers behave. `MANY`: so many more tools. */
function make(): McpServer {
  const server = new McpServer({ name: 'fake', version: '1' });
  const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
  server.registerTool(
    'echo',
    {
      description: 'Says what it is told.',
      inputSchema: z.object({ say: z.string() }),
      annotations: { readOnlyHint: true },
    },
    ({ say }) => text(`${say} ${process.env['GREETING'] ?? ''} ${process.env['SECRET_KEY'] ?? 'no key'}`),
  );
  server.registerTool('fail', { inputSchema: z.object({}) }, () => ({ ...text('it did not work'), isError: true }));
  server.registerTool('die', { inputSchema: z.object({}) }, () => process.exit(3));
  server.registerTool('flood', { inputSchema: z.object({}) }, () => text('x'.repeat(2_000_000)));
  server.registerTool('wait', { inputSchema: z.object({}) }, async (_given, { mcpReq: { signal } }) => {
    process.stderr.write('waiting\n');
    await delay(60_000, undefined, { signal }).catch(() => {});
    return text('waited');
  });
  server.registerTool('picture', { inputSchema: z.object({}) }, () => ({
    content: [{ type: 'image' as const, data: 'aGk=', mimeType: 'image/png' }],
    structuredContent: { size: 2 },
  }));
  server.registerTool('close', { inputSchema: z.object({}) }, async (_given, { mcpReq: { elicitInput } }) => {
    const how = { type: 'string' as const, title: 'How', enum: ['fixed', 'duplicate'] };
    const requestedSchema = { type: 'object' as const, properties: { how }, required: ['how'] };
    const { action, content } = await elicitInput({ message: 'Close it as what?', requestedSchema });
    return text(`${process.pid} closed: ${action} ${JSON.stringify(content ?? null)}`);
  });
  for (let index = 0; index < Number(process.env['MANY'] ?? 0); index += 1)
    server.registerTool(
      `extra_${index}`,
      { description: `Gives the number ${index}.`, inputSchema: z.object({}) },
      () => text(`number ${index}`),
    );
  if (process.env['BESIDE']) {
    const uri = 'notes://today';
    const file = { description: 'What is to do.', mimeType: 'text/plain' };
    server.registerResource('today', uri, file, () => ({ contents: [{ uri, text: 'Buy milk.' }] }));
    const review = { description: 'A review.', argsSchema: z.object({ file: z.string() }) };
    server.registerPrompt('review', review, ({ file: path }) => ({
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: `Review ${path}.` } }],
    }));
  }
  return server;
}

serveStdio(make);
