// Blocks of commands in a document: those that a test runs, and what they have to print.

/**
 * The blocks of shell commands of a Markdown text, in order: `{line, heading, run, withSite, commands, output}`. A block
 * begins with "```sh run=name"; blocks of one name run in one folder, one after the other, and the first of them may
 * ask for a running site: "```sh run=name site". One without a name is not run. A "```text" block right after it has
 * lines that it prints.
 */
export function blocksOf(markdown) {
  const blocks = [];
  let heading = "";
  let open;
  let isDirectlyAfter = false;
  for (const [at, text] of markdown.split("\n").entries()) {
    const fence = /^```(.*)$/.exec(text);
    if (open) {
      if (!fence) open.lines.push(text);
      else if (open.block) {
        open.block.output = open.lines;
        open = undefined;
      } else {
        const [, ...words] = open.info.split(" ");
        const run = words.find((word) => word.startsWith("run="))?.slice("run=".length);
        blocks.push({ line: open.line, heading, run, withSite: words.includes("site"), commands: open.lines.join("\n"), output: [] });
        open = undefined;
        isDirectlyAfter = true;
      }
    } else if (fence?.[1] === "text" && isDirectlyAfter) {
      open = { block: blocks.at(-1), lines: [] };
      isDirectlyAfter = false;
    } else if (fence && /^sh( |$)/.test(fence[1])) {
      open = { info: fence[1], line: at + 1, lines: [] };
    } else if (fence) {
      // A block of another kind: to its end.
      open = { block: {}, lines: [] };
    } else {
      heading = /^#+ (.*)$/.exec(text)?.[1] ?? heading;
      if (text.trim()) isDirectlyAfter = false;
    }
  }
  return blocks;
}

/** The first line of `wanted` that `output` does not have, in this order; "…" stands for anything. */
export function missingLine(wanted, output) {
  const lines = output.split("\n").map((line) => line.trim());
  let from = 0;
  for (const line of wanted.map((line) => line.trim()).filter(Boolean)) {
    const pattern = new RegExp(`^${line.split("…").map((part) => RegExp.escape?.(part) ?? part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*")}$`);
    const found = lines.findIndex((text, at) => at >= from && pattern.test(text));
    if (found < 0) return line;
    from = found + 1;
  }
  return undefined;
}
