import { ideasIn, ideasPrompt } from '../../discovery/ideas.ts';
import { always, type Source } from './source.ts';

/** Ideas of a model that sees the names of the files and what was found and tried. */
export const ideas: Source = {
  name: 'ideas',
  canChange: always,
  find: async ({ ask, files, settings, found, tried }) => {
    const said = await ask(ideasPrompt({ files: await files(), goal: settings.prompt, found, tried }));
    const { usage } = said;
    if (said.kind !== 'answered') return { items: [], usage, ...(said.kind === 'failed' ? { fault: said.fault } : {}) };
    const read = ideasIn(said.text);
    return read ? { items: read, usage } : { items: [], usage, fault: UNREADABLE };
  },
};

const UNREADABLE = {
  code: 'ideas_unreadable',
  message: 'the model did not answer with the JSON of ideas that it was asked for',
};
