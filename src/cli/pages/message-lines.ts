import type { Message } from '../../actors/model/model.ts';
import { plain } from '../../projections/phrases.ts';
import { amount } from '../../text/money.ts';

/** A message of a conversation: who says it, and below that every line of it. */
export function messageLines(message: Message): readonly string[] {
  switch (message.role) {
    case 'user':
      return [
        'user',
        ...(message.images ?? []).map(
          ({ name, mediaType, bytes }) => `  ${plain(name)} (${mediaType}, ${bytes} bytes)`,
        ),
        ...indented(message.text),
      ];
    case 'assistant':
      return [
        'assistant',
        ...indented(message.text),
        ...message.calls.map(({ tool, arguments: given }) => `  › ${plain(`${tool} ${JSON.stringify(given)}`)}`),
      ];
    case 'tool':
      return [plain(`${message.failed ? 'failed ' : ''}result of ${message.tool}`), ...indented(message.output)];
  }
}

/** A system prompt, with its length. */
export const systemLines = (system: string): readonly string[] => [
  `system (${amount(system.length, 'character')})`,
  ...indented(system),
];

/** Each line of a text, so that none looks like a line of the page. */
const indented = (text: string): readonly string[] =>
  text === ''
    ? []
    : plain(text)
        .split('\n')
        .map((line) => `  ${line}`.trimEnd());
