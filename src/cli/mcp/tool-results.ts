import type { CallToolResult } from '@modelcontextprotocol/server';
import { plain } from '../../projections/phrases.ts';
import { asJson } from '../pages/as-json.ts';
import { complaintOf } from '../pages/complaint-of.ts';

/** The result of a tool: as data, and as the same data in a text for clients that read only that. */
export const dataResult = (data: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: asJson(data, 2) }],
  structuredContent: data,
});

/** The result of a tool that could not do what it was asked for, with the reason. */
export const failedCall = (message: string): CallToolResult => ({
  content: [{ type: 'text', text: plain(message) }],
  isError: true,
});

/** Does the work of a tool. An obstacle is a result, too: the model of the client reads it. */
export async function answered<Result>(work: () => Promise<Result>): Promise<Result | CallToolResult> {
  try {
    return await work();
  } catch (error) {
    return failedCall(complaintOf(error, 'mcp').message);
  }
}
