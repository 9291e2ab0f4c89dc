import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository/tool.ts';
import { drawings } from './drawings.ts';
import { pages } from './examples.ts';
import { regenerated } from './generated.ts';
import { conversationPage, PAGE, recordedConversation } from './what-the-model-sees.ts';

// `npm run docs`: writes what the pages take from the code, and the drawings they show.
for (const [file, text] of pages()) {
  const fresh = await regenerated(text);
  if (fresh !== text) writeFileSync(join(root, file), fresh);
}
for (const [file, draw] of drawings) {
  const fresh = await draw();
  const path = join(root, file);
  if (!existsSync(path) || readFileSync(path, 'utf8') !== fresh) writeFileSync(path, fresh);
}
const conversation = conversationPage(await recordedConversation());
if (!existsSync(join(root, PAGE)) || readFileSync(join(root, PAGE), 'utf8') !== conversation)
  writeFileSync(join(root, PAGE), conversation);
