// Looks at a site as Mozilla's HTTP Observatory does, and prints what it thinks of it as JSON:
// NODE_EXTRA_CA_CERTS=<certificate> node observatory.mjs <host> <port of http> <port of https>
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const observatory = new URL('../node_modules/@mdn/mdn-http-observatory/', import.meta.url);
const part = (name) => import(new URL(`src/${name}`, observatory).href);

// The list of hosts that browsers know to be https only, which the package would download: no host of ours is on it.
const known = fileURLToPath(new URL('conf/hsts-preload.json', observatory));
if (!existsSync(known)) writeFileSync(known, '{}');

const [{ retrieve }, { ALL_TESTS }, { MINIMUM_SCORE_FOR_EXTRA_CREDIT }, { getGradeForScore, getScoreModifier }] =
  await Promise.all(['retriever/retriever.js', 'constants.js', 'grader/charts.js', 'grader/grader.js'].map(part));

// Its own command knows the usual ports only; what follows is what it does with what it fetched.
const [host, httpPort, httpsPort] = process.argv.slice(2);
const fetched = await retrieve(host, { httpPort: Number(httpPort), httpsPort: Number(httpsPort) });
if (!fetched.responses.auto) throw new Error('the site does not answer');
const results = ALL_TESTS.map((test) => test(fetched)).map((output) => ({
  name: output.constructor.name,
  result: output.result,
  pass: output.pass,
  modifier: getScoreModifier(output.result),
}));
const sum = (list) => list.reduce((score, { modifier }) => score + modifier, 100);
const plain = sum(results.filter(({ modifier }) => modifier < 0));
const { grade, score } = getGradeForScore(plain >= MINIMUM_SCORE_FOR_EXTRA_CREDIT ? sum(results) : plain);
console.log(JSON.stringify({ grade, score, status: fetched.responses.auto.status, results }, null, 2));
