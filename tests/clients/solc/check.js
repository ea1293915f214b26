// solc's SMTChecker on one file: `node check.js MODULES FILE ENGINE`. MODULES has the npm package `solc`, whose
// SMT callback runs the first solver that it finds on PATH. Prints what the checker says, in order.
const fs = require('fs');
const path = require('path');

const [modules, file, engine] = process.argv.slice(2);
const load = (name) => require(path.join(modules, 'solc', name));
const solc = load('index.js');
const { smtCallback } = load('smtchecker.js');
const { smtSolver } = load('smtsolver.js');

const name = path.basename(file);
const input = {
  language: 'Solidity',
  sources: { [name]: { content: fs.readFileSync(file, 'utf8') } },
  settings: {
    modelChecker: {
      engine,
      solvers: ['smtlib2'],
      // A query of CHC has the whole contract, and the callback's limit is a clock's.
      targets: engine === 'chc' ? ['assert'] : ['assert', 'underflow', 'overflow', 'divByZero'],
      showProvedSafe: true,
      showUnproved: true,
    },
  },
};
const output = JSON.parse(solc.compile(JSON.stringify(input), { smtSolver: smtCallback(smtSolver) }));
for (const { severity, message, formattedMessage } of output.errors || []) {
  const place = /:(\d+:\d+)/.exec(formattedMessage || '') || ['', '-'];
  // Values of a counterexample are a solver's free choice.
  console.log(`${severity} ${place[1]}: ${message.split('\n')[0]}`);
}
