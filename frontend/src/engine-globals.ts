/** Globals that React expects when its code is loaded, and that the server's JavaScript engine lacks. */
const nothing = () => {};

Object.assign(globalThis, {
  console: { debug: nothing, info: nothing, log: nothing, warn: nothing, error: nothing },
  // Nothing waits on the server: a page is rendered once, with the data that came with it.
  setTimeout: () => 0,
  clearTimeout: nothing,
  queueMicrotask: nothing,
});
