// JSON.parse on each line of a file: prints the nanoseconds of the best round.
// Usage: node node_parse.mjs FILE ROUNDS
import fs from 'node:fs';

const [, , file, rounds] = process.argv;
const bytes = fs.readFileSync(file);

// From bytes to values, as a client must: the decoding of UTF-8 is part of the work.
function parseAll() {
  let kinds = 0;
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    kinds += JSON.parse(bytes.toString('utf8', at, end)).type.length;
    at = end + 1;
  }
  return kinds;
}

let best = Infinity;
for (let i = 0; i < Number(rounds); ++i) {
  const start = process.hrtime.bigint();
  parseAll();
  best = Math.min(best, Number(process.hrtime.bigint() - start));
}
console.log(best);
