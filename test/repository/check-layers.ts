import { cruise, fewestModules } from './layers.ts';
import { root } from './tool.ts';

const { modules, broken } = cruise(root);
for (const { rule, from, to } of broken) console.error(`${rule}: ${from} → ${to}`);
console.log(`${modules.length} modules (at least ${fewestModules} expected), ${broken.length} forbidden imports`);
process.exitCode = broken.length > 0 || modules.length < fewestModules ? 1 : 0;
