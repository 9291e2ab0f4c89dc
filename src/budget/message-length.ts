type Measured =
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly calls: readonly { readonly tool: string; readonly arguments: unknown }[];
    }
  | { readonly role: 'tool'; readonly output: string };

/** The characters of a message that a model reads: its text, and its calls as JSON. */
export function charactersOf(message: Measured): number {
  if (message.role === 'tool') return message.output.length;
  if (message.role === 'user') return message.text.length;
  return message.calls.reduce((sum, call) => sum + charactersOfCall(call), message.text.length);
}

export const charactersOfCall = (call: { readonly tool: string; readonly arguments: unknown }): number =>
  call.tool.length + JSON.stringify(call.arguments).length;
