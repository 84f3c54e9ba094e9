// Runs every program of examples/ against the fake CLI and compares what it prints, and what it
// says to the CLI. cases/<group>/<name>.txt holds up to five parts, each under a line "--- <part>":
//
//   script   what the fake CLI does (tests/fake_cli)
//   input    what the program reads on stdin
//   output   what the program prints on stdout, exactly
//   sent     texts that must occur in its messages to the CLI, one per line, in this order
//   args     texts that must occur among the CLI's arguments, one per line
//   call     the program's own arguments, and its exit code if not 0: "exit 1"; PICTURE and RECORDING
//            stand for files. Without a script no CLI takes part.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const { PARLEY_SOURCE_DIR: source, PARLEY_BUILD_DIR: build, TMPDIR } = process.env;
const programs = path.join(build, 'bin', 'examples');
const cases = path.join(source, 'tests', 'examples', 'cases');
// As they lie below examples/: "prompts/quick_start".
const names = readdirSync(path.join(source, 'examples'), { recursive: true })
  .filter((file) => file.endsWith('.cpp'))
  .map((file) => file.slice(0, -'.cpp'.length));
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function readCase(name) {
  const parts = {};
  const text = readFileSync(path.join(cases, `${name}.txt`), 'utf8');
  for (const part of text.split(/^--- /m).slice(1)) {
    const end = part.indexOf('\n');
    parts[part.slice(0, end).trim()] = part.slice(end + 1);
  }
  return parts;
}

const lines = (text) => (text ?? '').split('\n').filter((line) => line !== '');

function run(program, parameters, environment, input) {
  return new Promise((resolve) => {
    const options = { env: environment, timeout: 60_000 };
    const child = execFile(program, parameters, options, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? `signal ${error.signal}`) : 0, stdout, stderr }));
    if (input !== undefined) child.stdin.end(input);
  });
}

async function check(name) {
  const program = path.basename(name);
  const { script, input, output, sent, args, call } = readCase(name);
  const folder = mkdtempSync(path.join(TMPDIR, `example-${program}-`));
  const saved = path.join(folder, 'sent');
  const flags = path.join(folder, 'args');
  writeFileSync(path.join(folder, 'picture.png'), PNG);
  const words = lines(call).join(' ').split(' ').filter(Boolean);
  const exit = words[0] === 'exit' ? Number(words.splice(0, 2)[1]) : 0;
  const result = await run(
    path.join(programs, program),
    words.map((word) => word
      .replace('PICTURE', path.join(folder, 'picture.png'))
      .replace('RECORDING', path.join(source, 'tests/recordings/2.1.325/text_simple.jsonl'))),
    {
      ...process.env,
      PARLEY_CLI: path.join(build, 'bin', 'parley_fake_cli'),
      PARLEY_FAKE_SCRIPT: `save ${saved}\nargs ${flags}\n${script}`,
    },
    input,
  );
  assert.equal(result.stdout, output, result.stderr);
  assert.equal(result.code, exit, result.stderr);
  if (script === undefined) return;
  let rest = readFileSync(saved, 'utf8');
  for (const text of lines(sent)) {
    const at = rest.indexOf(text);
    assert.notEqual(at, -1, `not sent: ${text}\nin: ${rest}`);
    rest = rest.slice(at + text.length);
  }
  const given = readFileSync(flags, 'utf8').split('\0');
  for (const text of lines(args)) assert.ok(given.includes(text), `no argument ${text}: ${given}`);
}

// Those that use a library which need not be installed; without it they are not built.
const optional = { 'adapters/asio': 'Boost.Asio', 'adapters/nlohmann': 'nlohmann/json' };

for (const name of names) {
  const missing = name in optional && !existsSync(path.join(programs, path.basename(name)));
  test(name, { skip: missing && `${optional[name]} is not installed` }, () => check(name));
}

test('every case has its example', () => {
  for (const file of readdirSync(cases, { recursive: true })) {
    if (file.endsWith('.txt')) assert.ok(names.includes(file.slice(0, -'.txt'.length)), file);
  }
});
