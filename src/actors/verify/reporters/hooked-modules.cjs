'use strict';
// Some runners offer no place for a second reporter. Their module is changed as it is loaded, whatever loads it.
const Module = require('node:module');

const HOOKS = [
  [/[\\/]tape[\\/]lib[\\/]results\.js$/, './tape-hook.cjs'],
  [/[\\/]mocha[\\/]lib[\\/]mocha\.c?js$/, './mocha-hook.cjs'],
  [/[\\/]@jest[\\/]core[\\/]build[\\/](index|jest)\.js$/, './jest-hook.cjs'],
];

function hookModules() {
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (content, filename, ...more) {
    const result = compile.call(this, content, filename, ...more);
    for (const [place, hook] of HOOKS) if (place.test(filename)) this.exports = require(hook).hooked(this.exports);
    return result;
  };
}

module.exports = { hookModules };
