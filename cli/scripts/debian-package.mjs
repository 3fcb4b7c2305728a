// The Debian package of a release: the files of its archive where Debian expects them. release.mjs calls it.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

// Debian's "festival" is a speech synthesiser; both have a command of this name.
const NAME = "festival-website";
const DOCUMENTS = `usr/share/doc/${NAME}`;

/**
 * Makes a package of `folder`, the unpacked archive, in `out`, and returns its file name; undefined where dpkg-deb is
 * missing. `scripts` is the folder with the maintainer scripts and the command; the same files make the same package.
 */
export function packForDebian({ folder, out, scripts, version, glibc, time, isDraft }) {
  if (spawnSync("dpkg-deb", ["--version"]).status !== 0) {
    console.log("NOT BUILT: the Debian package (dpkg-deb is missing)");
    return undefined;
  }
  const root = join(out, "debian");
  const put = (from, to, mode = 0o644) => {
    mkdirSync(dirname(join(root, to)), { recursive: true, mode: 0o755 });
    cpSync(from, join(root, to));
    chmodSync(join(root, to), mode);
  };
  put(join(folder, "festival"), "usr/lib/festival/festival", 0o755);
  put(join(scripts, "festival"), "usr/bin/festival", 0o755);
  for (const script of ["postinst", "prerm", "postrm"]) put(join(scripts, script), `DEBIAN/${script}`, 0o755);
  for (const file of readdirSync(join(folder, "deploy"))) {
    const isUnit = /\.(service|socket|timer)$/.test(file);
    // The pages that proxies show are where their configurations look for them.
    const place = isUnit ? "usr/lib/systemd/system" : file.endsWith(".html") ? "usr/share/festival" : `${DOCUMENTS}/examples`;
    put(join(folder, "deploy", file), join(place, file));
    if (isUnit) {
      const unit = join(root, place, file);
      const text = readFileSync(unit, "utf8");
      writeFileSync(unit, text.replaceAll("/usr/local/bin/festival", "/usr/lib/festival/festival").replace(/^# The site\. Put it[^]*?(?=\[Unit\])/, "# The site.\n"));
    }
  }
  for (const file of ["config/festival.toml", "config/alerts.yml"]) put(join(folder, file), `${DOCUMENTS}/examples/${file.split("/").at(-1)}`);
  for (const file of ["README.md", "CHANGES.md", "BUILD.txt", "festival.cdx.json", "docs/operations.md"]) {
    put(join(folder, file), `${DOCUMENTS}/${file.split("/").at(-1)}`);
  }
  const licenses = ["LICENSE-APACHE", "LICENSE-MIT"].map((file) => readFileSync(join(folder, file), "utf8"));
  writeFileSync(join(root, DOCUMENTS, "copyright"), ["Apache-2.0 or MIT, as you like.\n", ...licenses].join("\n"));

  const architecture = execFileSync("dpkg", ["--print-architecture"], { encoding: "utf8" }).trim();
  const size = execFileSync("du", ["-sk", "--apparent-size", root], { encoding: "utf8" }).split("\t")[0];
  const debianVersion = isDraft ? `${version}~draft` : version;
  const control = {
    Package: NAME,
    Version: debianVersion,
    Architecture: architecture,
    Maintainer: "The developers of festival <root@localhost>",
    "Installed-Size": size,
    Depends: `libc6 (>= ${glibc}), libgcc-s1, passwd, util-linux`,
    Conflicts: "festival",
    Section: "web",
    Priority: "optional",
    Description: "website and back office of a film festival\n One program: the site, its forms, its programme, and what organisers do in the browser.",
  };
  writeFileSync(join(root, "DEBIAN/control"), Object.entries(control).map(([key, value]) => `${key}: ${value}\n`).join(""));
  execFileSync("chmod", ["-R", "u+w,go-w,a+rX", root]);
  const file = `${NAME}_${debianVersion}_${architecture}.deb`;
  const options = ["--root-owner-group", isDraft ? "-Zgzip" : "-Zxz", ...(isDraft ? ["-z1"] : [])];
  execFileSync("dpkg-deb", [...options, "--build", root, join(out, file)], { env: { ...process.env, SOURCE_DATE_EPOCH: time }, stdio: ["ignore", "ignore", "inherit"] });
  rmSync(root, { recursive: true });
  return file;
}
