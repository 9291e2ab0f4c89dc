export const CHARACTERS_PER_TOKEN = 4;

/** The estimated tokens of a text of this length. */
export const estimatedTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);
