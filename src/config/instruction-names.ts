/** What a folder says about working in it. The first that says something counts. */
export const INSTRUCTION_NAMES = ['AGENTS.md', 'CLAUDE.md'] as const;

/** Folders of pages on how things are done in a workspace, which a model reads on demand. */
export const SKILL_FOLDERS = ['.agents/skills', '.claude/skills'] as const;
