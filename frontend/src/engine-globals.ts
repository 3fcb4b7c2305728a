/** What React looks for when its code is read, and the server's JavaScript engine has not. */
const nothing = () => {};

Object.assign(globalThis, {
  console: { debug: nothing, info: nothing, log: nothing, warn: nothing, error: nothing },
  // Nothing waits on the server: a page is rendered once, with the data that came with it.
  setTimeout: () => 0,
  clearTimeout: nothing,
  queueMicrotask: nothing,
});
