export const CHARACTERS_PER_TOKEN = 4;

/** How many tokens so many characters count for where nobody has counted. */
export const estimatedTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);
