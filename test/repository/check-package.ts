import { checkPackage } from './package.ts';
import { root } from './tool.ts';

const { ok, report } = checkPackage(root);
console.log(report);
process.exitCode = ok ? 0 : 1;
