// A mail server that accepts and records all mails.
import { createServer } from "node:net";

/** Listens on 127.0.0.1, at `port` or a free one. */
export class MailServer {
  /** All accepted mails, as `{id, to}`. */
  mails = [];

  async listen(port = 0) {
    this.server = createServer((socket) => this.#talk(socket));
    await new Promise((done, fail) => this.server.once("error", fail).listen(port, "127.0.0.1", done));
    this.port = this.server.address().port;
    return this;
  }

  close() {
    return new Promise((done) => this.server.close(done));
  }

  /** Settings of a site that uses this server. */
  settings() {
    return { FESTIVAL_MAIL__HOST: "127.0.0.1", FESTIVAL_MAIL__PORT: String(this.port), FESTIVAL_MAIL__TLS: "none", FESTIVAL_CONTACT__EMAIL: "office@example.org" };
  }

  #talk(socket) {
    const say = (line) => socket.write(`${line}\r\n`);
    let [text, reading, to] = ["", false, []];
    socket.setEncoding("utf8").on("error", () => {});
    say("220 mail.example");
    socket.on("data", (part) => {
      text += part;
      for (;;) {
        const end = text.indexOf(reading ? "\r\n.\r\n" : "\r\n");
        if (end < 0) return;
        const line = text.slice(0, end);
        text = text.slice(end + (reading ? 5 : 2));
        if (reading) {
          this.mails.push({ id: /^Message-ID:\s*(\S+)/im.exec(line)?.[1] ?? "", to: to.join() });
          [reading, to] = [false, []];
          say("250 accepted");
        } else if (/^DATA/i.test(line)) {
          reading = true;
          say("354 go on");
        } else if (/^QUIT/i.test(line)) {
          socket.end("221 bye\r\n");
        } else {
          if (/^RCPT/i.test(line)) to.push(/<([^>]*)>/.exec(line)?.[1]);
          say(/^EHLO/i.test(line) ? "250-mail.example\r\n250 8BITMIME" : "250 yes");
        }
      }
    });
  }
}
