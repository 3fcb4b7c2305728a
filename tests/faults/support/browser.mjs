// A browser without scripts for the back office: cookies, forms with all their fields, sign-in.

export const PASSWORD = "lantern-ferry-gramophone-42";
export const OWNER = "owner@example.org";

/** Creates an owner's account on the command line. */
export const createOwner = (festival) =>
  festival.runWithInput(`${PASSWORD}\n`, "admin", "create", OWNER, "--name", "Owner", "--role", "owner", "--password-stdin");

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"' };
const unescaped = (text) => text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, number, name) =>
  name ? (ENTITIES[name] ?? all) : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(number)));
const attribute = (tag, name) => unescaped(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? "");

/** The fields that a browser sends for the form with the action `action`, without files: a Map of names to values. */
export function fieldsOf(html, action) {
  const start = html.indexOf(`action="${action}"`);
  if (start < 0) throw new Error(`no form has the action ${action}: ${/<h1>(.*?)<\/h1>/.exec(html)?.[1]}`);
  const form = html.slice(start, html.indexOf("</form>", start));
  const fields = new Map();
  for (const [tag] of form.matchAll(/<input\s[^>]*>/gs)) {
    const [type, name] = [attribute(tag, "type"), attribute(tag, "name")];
    if (!name || type === "file" || (/^(radio|checkbox)$/.test(type) && !/\schecked/.test(tag))) continue;
    fields.set(name, attribute(tag, "value"));
  }
  for (const [tag, text] of form.matchAll(/<textarea\s[^>]*>\n?(.*?)<\/textarea>/gs)) fields.set(attribute(tag, "name"), unescaped(/>\n?(.*?)<\/textarea>$/s.exec(tag)?.[1] ?? text));
  for (const [tag, name, options] of form.matchAll(/<select\s[^>]*?name="([^"]+)"[^>]*>(.*?)<\/select>/gs)) {
    const chosen = /<option[^>]*\sselected[^>]*>/.exec(options)?.[0] ?? /<option[^>]*>/.exec(options)?.[0] ?? tag;
    fields.set(name, attribute(chosen, "value"));
  }
  return fields;
}

/** A browser in the back office at `base`. */
export class Browser {
  cookies = new Map();

  constructor(base) {
    this.base = base;
  }

  /**
   * Requests a page, or sends a form: an object or a Map of texts, or a FormData. Returns `{status, text, location}`;
   * a broken connection is status 0.
   */
  async request(path, form) {
    const headers = { Cookie: [...this.cookies].map((pair) => pair.join("=")).join("; ") };
    const body = form && (form instanceof FormData ? form : new URLSearchParams(form instanceof Map ? [...form] : form));
    try {
      const options = { method: form ? "POST" : "GET", headers, body, redirect: "manual", signal: AbortSignal.timeout(60_000) };
      const answer = await fetch(this.base + path, options);
      for (const cookie of answer.headers.getSetCookie()) {
        const [name, value] = cookie.split(";")[0].split("=");
        this.cookies.set(name, value);
      }
      return { status: answer.status, text: await answer.text(), location: answer.headers.get("location"), headers: answer.headers };
    } catch (error) {
      return { status: 0, text: String(error), location: null, headers: new Headers() };
    }
  }

  /** Signs in; returns the status, 303 on success. */
  async signIn(email = OWNER, password = PASSWORD) {
    const page = await this.request("/admin/sign-in");
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1];
    return (await this.request("/admin/sign-in", { csrf, email, password, next: "/admin/" })).status;
  }

  /** Whether the browser is signed in. */
  async isSignedIn() {
    return (await this.request("/admin/")).status === 200;
  }

  /** Opens the form at `path`, changes some of its values, and saves it. */
  async save(path, changes) {
    const page = await this.request(path);
    if (page.status !== 200) return page;
    const fields = fieldsOf(page.text, path);
    for (const [name, value] of Object.entries(changes)) fields.set(name, value);
    const form = new FormData();
    for (const [name, value] of fields) form.set(name, value);
    return this.request(path, form);
  }
}
