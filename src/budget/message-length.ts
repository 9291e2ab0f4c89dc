export const CHARACTERS_PER_TOKEN = 4;

/** The estimated tokens of a text of this length. */
export const estimatedTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);

type Measured =
  | { readonly role: 'user'; readonly text: string; readonly images?: readonly unknown[] | undefined }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly calls: readonly { readonly tool: string; readonly arguments: unknown }[];
    }
  | { readonly role: 'tool'; readonly output: string };

/** The characters of a message that a model reads: its text, and its calls as JSON. */
export function charactersOf(message: Measured): number {
  if (message.role === 'tool') return message.output.length;
  if (message.role === 'user') return message.text.length + charactersOfImages(message.images);
  return message.calls.reduce((sum, call) => sum + charactersOfCall(call), message.text.length);
}

/** No provider counts more for one image of usual size; some count less. */
const TOKENS_PER_IMAGE = 1_600;

/** The characters that stand for images in an estimate. */
export const charactersOfImages = (images: readonly unknown[] = []): number =>
  images.length * TOKENS_PER_IMAGE * CHARACTERS_PER_TOKEN;

export const charactersOfCall = (call: { readonly tool: string; readonly arguments: unknown }): number =>
  call.tool.length + JSON.stringify(call.arguments).length;
