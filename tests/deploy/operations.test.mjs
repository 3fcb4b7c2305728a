// The commands of README.md, docs/tour.md and docs/operations.md, run with the real program:
// node --test tests/deploy/operations.test.mjs
// Paths below /etc, /srv and /var are those of a scratch folder, which has one owner; port 8000 is a free one, passwords
// come from standard input in place of the terminal, and systemctl is a script that acts like the unit.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { program } from "../faults/support/program.mjs";
import { blocksOf, missingLine } from "./support/guide.mjs";
import { freePort } from "./support/proxy.mjs";

const root = resolve(import.meta.dirname, "../..");
/** The documents, and whether their commands are for a clone of this repository instead of a server. */
const DOCUMENTS = [
  { file: "docs/operations.md", isInClone: false },
  { file: "README.md", isInClone: true },
  { file: "docs/tour.md", isInClone: true },
];
const blocks = DOCUMENTS.flatMap((document) =>
  blocksOf(readFileSync(join(root, document.file), "utf8")).map((block) => ({ ...block, ...document })),
);
const runs = new Map();
for (const block of blocks.filter(({ run }) => run)) runs.set(block.run, [...(runs.get(block.run) ?? []), block]);

const PASSWORD = "lantern-ferry-gramophone-42";

/** `systemctl start|stop|restart festival` without systemd: acts like the unit, with the program of the test. */
const SYSTEMCTL = `#!/bin/bash
set -euo pipefail
[ "\${2:-}" = festival ] || { echo "systemctl $*: only the service festival is here" >&2; exit 1; }
stop() {
    [ -e "$SCRATCH/pid" ] || return 0
    pid=$(cat "$SCRATCH/pid")
    rm "$SCRATCH/pid"
    kill -TERM "$pid" 2>/dev/null || return 0
    while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
}
start() {
    cd "$SCRATCH/etc/festival"
    : >"$SCRATCH/log"
    festival serve >"$SCRATCH/log" 2>&1 </dev/null &
    echo $! >"$SCRATCH/pid"
    until grep -q "^The site is at" "$SCRATCH/log"; do
        kill -0 "$(cat "$SCRATCH/pid")" 2>/dev/null || { cat "$SCRATCH/log" >&2; exit 1; }
        sleep 0.05
    done
}
case "$1" in
    start) start ;;
    stop) stop ;;
    restart) stop; start ;;
    *) exit 1 ;;
esac
`;

/** `festival serve` in the background: returns when the site responds, or fails with what the program said. */
const SERVE = `{ festival serve >"$SCRATCH/log" 2>&1 </dev/null & echo $! >"$SCRATCH/pid"
until grep "^The site is at" "$SCRATCH/log"; do kill -0 $! || { cat "$SCRATCH/log"; exit 1; }; sleep 0.05; done; }`;

/** A simulated machine for the blocks of one name: folders, port, program. */
class Scratch {
  static async make({ withSite = false, isInClone = false } = {}) {
    const scratch = new Scratch();
    scratch.folder = mkdtempSync(join(tmpdir(), "festival-guide-"));
    scratch.port = await freePort();
    for (const path of ["bin", "work", "etc/festival/config", "srv", "var/backups", "var/lib"]) mkdirSync(join(scratch.folder, path), { recursive: true });
    for (const path of ["var/lib/festival", "var/backups/festival"]) mkdirSync(join(scratch.folder, path), { mode: 0o700 });
    symlinkSync(resolve(program), join(scratch.folder, "bin/festival"));
    writeFileSync(join(scratch.folder, "bin/systemctl"), SYSTEMCTL, { mode: 0o755 });
    copyFileSync(join(root, "Rocket.toml"), join(scratch.folder, "etc/festival/Rocket.toml"));
    const outer = Object.entries(process.env).filter(([name]) => !/^(FESTIVAL|ROCKET)_/.test(name));
    scratch.environment = {
      ...Object.fromEntries(outer),
      SCRATCH: scratch.folder,
      PATH: `${scratch.folder}/bin:${process.env.PATH}`,
      ...(isInClone ? {} : { FESTIVAL_DATA_DIR: join(scratch.folder, "var/lib/festival") }),
      // Not the site's log: only what the commands print.
      FESTIVAL_LOG__FILTER: "off",
      ROCKET_PORT: String(scratch.port),
    };
    scratch.isInClone = isInClone;
    scratch.current = join(scratch.folder, isInClone ? "festival" : "etc/festival");
    if (isInClone) {
      // Only what a newcomer has: the documents' samples, and the program where `make run` puts it.
      mkdirSync(join(scratch.current, "target/debug"), { recursive: true });
      symlinkSync(resolve(program), join(scratch.current, "target/debug/festival"));
      cpSync(join(root, "docs/examples"), join(scratch.current, "docs/examples"), { recursive: true });
    }
    if (withSite) {
      for (const path of ["etc", "var"]) cpSync(join(site.folder, path), join(scratch.folder, path), { recursive: true });
      await scratch.run({ line: 0, commands: "systemctl start festival" });
    }
    return scratch;
  }

  /** The commands for this machine. */
  own(text) {
    return text
      .replace(/(^|[\s"'=>])\/(etc|srv|var)\//gm, `$1${this.folder}/$2/`)
      .replaceAll("127.0.0.1:8000", `127.0.0.1:${this.port}`)
      .replaceAll(" -o festival -g festival", "")
      .replace(/^festival serve( .*)?$/gm, SERVE)
      .replace(/^(festival (?:init|admin create|admin password) (?:[^#\n\\]|\\\n)*[^#\s])/gm, `$1 --password-stdin <<<"${PASSWORD}"`);
  }

  /** The output, with the paths of the guide. */
  theirs(text) {
    return text.replaceAll(this.folder, "").replaceAll(`127.0.0.1:${this.port}`, "127.0.0.1:8000");
  }

  /** Runs a block; returns what it printed. */
  async run({ file, line, commands }) {
    const options = { cwd: this.current, env: this.environment, stdio: ["ignore", "pipe", "pipe"] };
    const script = `exec 2>&1\n${this.own(commands)}\npwd >"$SCRATCH/folder"`;
    const child = spawn("bash", ["-euo", "pipefail", "-c", script], options);
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (printed += part));
    const code = await new Promise((done) => child.once("exit", done));
    const text = this.theirs(printed);
    assert.equal(code, 0, `${file}, line ${line}, ended with ${code}:\n${commands}\n${text}`);
    // In a clone the next block goes on in the folder of the last one, as in a terminal.
    if (this.isInClone) this.current = readFileSync(join(this.folder, "folder"), "utf8").trim();
    return text;
  }

  /** Stops the server, if one was started, and removes the folder. */
  async end() {
    this.isInClone = false;
    this.current = this.folder;
    await this.run({ line: 0, commands: "systemctl stop festival" });
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The site that blocks with the word "site" begin with: the demonstration with two owners. */
let site;
before(async () => {
  site = await Scratch.make();
  const owner = (name) => `festival admin create ${name.toLowerCase()}@festival.example --role owner --name ${name}`;
  await site.run({ line: 0, commands: ["festival seed --demo --relative-dates", owner("Asha"), owner("Ravi")].join("\n") });
});
after(() => site?.end());

for (const [name, steps] of runs) {
  test(`the commands of "${steps[0].heading}" in ${steps[0].file} do what it says (${name})`, async () => {
    const scratch = await Scratch.make(steps[0]);
    try {
      for (const block of steps) {
        const printed = await scratch.run(block);
        const missing = missingLine(block.output, printed);
        assert.equal(missing, undefined, `${block.file}, line ${block.line}: not printed: ${missing}\n${printed}`);
      }
      if (name === "own-site") await theOwnSiteIsAsReadmeSays(scratch);
      if (name === "tour") await thePastEditionIsInTheArchive(scratch);
    } finally {
      await scratch.end();
    }
  });
}

/** The five films are on /films, the owner can sign in, and nothing of the demonstration is there. */
async function theOwnSiteIsAsReadmeSays({ port }) {
  const text = async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  const films = await text("/films");
  for (const title of ["The Ferry at Four", "Paper Monsoon", "Salt Ledger", "Night Nursery", "The Lighthouse Exam"]) assert.ok(films.includes(title), title);
  for (const page of [films, await text("/"), await text("/form-asian")]) {
    assert.ok(page.includes("Festival of Waters"));
    assert.ok(!/Velicham|EXAMPLE ONLY/.test(page));
  }
  assert.match(await text("/admin/"), /type="password"/);
  assert.match(await text("/api/openapi.json"), /"openapi"/);
}

/** After the tour: the films and the programme of 2026 are below /archive/2026. */
async function thePastEditionIsInTheArchive(scratch) {
  await scratch.run({ file: "docs/tour.md", line: 0, commands: "festival serve" });
  for (const path of ["films", "programme"]) {
    const response = await fetch(`http://127.0.0.1:${scratch.port}/archive/2026/${path}`);
    assert.equal(response.status, 200, path);
    assert.match(await response.text(), /The Ferry at Four/, path);
  }
}

test("on a terminal festival init asks for address, proxy and a password as README says, and again for a password that it cannot take", async () => {
  const scratch = await Scratch.make();
  try {
    const command = `festival init --name "Festival of Waters" --office office@festival.example --year 2026 --number 1 --first-day 2026-12-11 --last-day 2026-12-18 --owner "Asha Menon" --email asha@festival.example`;
    // "script" gives the command a terminal of its own.
    const child = spawn("script", ["-qec", command, "/dev/null"], { cwd: scratch.folder, env: scratch.environment, stdio: ["pipe", "pipe", "inherit"] });
    const answers = [
      ["The site's address", ""],
      ["The address of the proxy", ""],
      ["Password: ", "festival"],
      ["it needs 12 or more.", null],
      ["Password: ", PASSWORD],
      ["Repeat the password: ", `${PASSWORD}!`],
      ["The two passwords are not the same.", null],
      ["Password: ", PASSWORD],
      ["Repeat the password: ", PASSWORD],
    ];
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (part) => {
      printed += part;
      while (answers.length > 0 && printed.includes(answers[0][0])) {
        const [question, answer] = answers.shift();
        printed = printed.slice(printed.indexOf(question) + question.length);
        if (answer !== null) child.stdin.write(`${answer}\n`);
      }
    });
    const code = await new Promise((done) => child.once("exit", done));
    assert.deepEqual([code, answers], [0, []], printed);
    assert.match(printed, /Festival of Waters is ready/);
    assert.match(readFileSync(join(root, "README.md"), "utf8").replaceAll("\n", " "), /asks for the site's address and the proxy before it \(Enter: later\), and for a password of 12 characters or more/);
  } finally {
    await scratch.end();
  }
});

test("the demonstration is never filled into a site of somebody's own", async () => {
  const scratch = await Scratch.make(runs.get("own-site")[0]);
  try {
    for (const block of runs.get("own-site")) await scratch.run(block);
    await assert.rejects(scratch.run({ line: 0, commands: "festival seed --demo" }), /there is a site here already, Festival of Waters 2026/);
    await theOwnSiteIsAsReadmeSays(scratch);
  } finally {
    await scratch.end();
  }
});

test("the documents run what they can: first site, tour, small server, backup, upgrade, moving, incidents", () => {
  for (const name of ["own-site", "tour", "small-server", "demonstration", "backup", "upgrade", "moving", "incidents"]) assert.ok(runs.has(name), name);
});

test("blocks that are not run say so", (t) => {
  for (const { file, line, heading, commands } of blocks.filter(({ run }) => !run)) {
    t.diagnostic(`NOT RUN: ${file}, line ${line}, "${heading}": ${commands.split("\n")[0]}`);
    assert.match(commands, /^# Not run by the tests: /, `${file}, line ${line}`);
  }
});

test("commands that print something else, or fail, are found", async () => {
  assert.equal(missingLine(["one", "th…e"], "one\ntwo\nthree"), undefined);
  assert.equal(missingLine(["th…e", "one"], "one\ntwo\nthree"), "one", "the order counts");
  const scratch = await Scratch.make();
  await assert.rejects(scratch.run({ line: 1, commands: "festival check --no-such-option | cat" }), /ended with 2/);
  await scratch.end();
});
