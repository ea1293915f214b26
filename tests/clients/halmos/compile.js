// Compiles a contract to what Foundry leaves in its folder `out`: `node compile.js MODULES FILE FOLDER`. halmos reads
// that. MODULES has the npm package `solc`.
const fs = require('fs');
const path = require('path');

const [modules, file, folder] = process.argv.slice(2);
const solc = require(path.join(modules, 'solc', 'index.js'));
const name = `test/${path.basename(file)}`;
const input = {
  language: 'Solidity',
  sources: { [name]: { content: fs.readFileSync(file, 'utf8') } },
  settings: {
    outputSelection: {
      '*': {
        '': ['ast'],
        '*': ['abi', 'metadata', 'storageLayout', 'evm.bytecode', 'evm.deployedBytecode', 'evm.methodIdentifiers'],
      },
    },
  },
};
const output = JSON.parse(solc.compile(JSON.stringify(input)));
const wrong = (output.errors || []).filter((e) => e.severity === 'error');
if (wrong.length) {
  console.error(wrong.map((e) => e.formattedMessage).join('\n'));
  process.exit(1);
}
const target = path.join(folder, 'out', path.basename(file));
fs.mkdirSync(target, { recursive: true });
for (const [contract, made] of Object.entries(output.contracts[name])) {
  const artifact = {
    abi: made.abi,
    bytecode: { ...made.evm.bytecode, object: `0x${made.evm.bytecode.object}` },
    deployedBytecode: { ...made.evm.deployedBytecode, object: `0x${made.evm.deployedBytecode.object}` },
    methodIdentifiers: made.evm.methodIdentifiers,
    rawMetadata: made.metadata,
    metadata: JSON.parse(made.metadata),
    storageLayout: made.storageLayout,
    ast: output.sources[name].ast,
    id: output.sources[name].id,
  };
  fs.writeFileSync(path.join(target, `${contract}.json`), JSON.stringify(artifact));
}
