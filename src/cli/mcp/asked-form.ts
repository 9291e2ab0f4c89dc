import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { App } from '../../app/app.ts';
import { plain } from '../../projections/phrases.ts';
import type { Question } from '../../projections/questions.ts';
import type { Mcp } from './load-server.ts';
import { dataResult } from './tool-results.ts';

const MAX_SHOWN_CHARS = 8_000;

interface At {
  readonly mcp: Mcp;
  readonly context: ServerContext;
  readonly loops: App;
  /** The run at the top. */
  readonly run: string;
}

/**
 * Passes the question of a server on to the person at this client, with its own form, and their answer back. Returns
 * the sentence that says why an answer was not taken.
 */
export async function askForm(
  { mcp, context, loops, run }: At,
  { callId: call, event, form }: Question,
  lines: readonly string[],
): Promise<CallToolResult | InputRequiredResult | string> {
  const key = `form-${event}`;
  const responses = context.mcpReq.inputResponses;
  const given = responses?.[key];
  if (given === undefined) {
    const message = plain(lines.join('\n')).slice(0, MAX_SHOWN_CHARS);
    const requestedSchema = form?.form as Parameters<typeof mcp.inputRequired.elicit>[0]['requestedSchema'];
    return mcp.inputRequired({ inputRequests: { [key]: mcp.inputRequired.elicit({ message, requestedSchema }) } });
  }
  const result = (ruling: 'answered' | 'denied' | 'none') => dataResult({ run, call, ruling });
  const content = mcp.acceptedContent(responses, key, z.looseObject({}));
  if (content) {
    const taken = await loops.answer(run, { call, text: JSON.stringify(content) });
    return taken.kind === 'refused' ? taken.message : result('answered');
  }
  if (Object(given).action !== 'decline') return result('none');
  await loops.grant(run, { call, granted: false });
  return result('denied');
}
