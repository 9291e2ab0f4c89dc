/** Where a folder keeps agents, in `AGENTS.md` or in pages of a folder. The first one with a name counts. */
export const AGENT_PLACES = [
  { path: '.loopfold/agents', isForeign: false },
  { path: 'AGENTS.md', isForeign: false },
  { path: '.claude/agents', isForeign: true },
  { path: '.opencode/agent', isForeign: true },
  { path: '.opencode/agents', isForeign: true },
] as const;
