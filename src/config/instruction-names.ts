/** What a folder says about working in it. The first that says something counts. */
export const INSTRUCTION_NAMES = ['AGENTS.md', 'CLAUDE.md'] as const;
