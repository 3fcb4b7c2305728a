/**
 * Fetches the page's scripts once its first view is painted: until then styles, typefaces and pictures have the line to
 * themselves. The document names the files in the element that loads this one, the last of them starts the page.
 */
const loader = document.querySelector<HTMLScriptElement>('script[data-scripts]');
const files = loader?.dataset.scripts?.split(' ') ?? [];
// The page is of this address, wherever Back leads before its scripts come.
loader?.setAttribute('data-address', location.pathname + location.search);

function start() {
  for (const href of files)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  const entry = files.at(-1);
  if (entry) void import(/* @vite-ignore */ entry);
}

// A film that the server sent open is closed by its button before any script; by Escape only with this one.
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') document.querySelector<HTMLDialogElement>('dialog[open]:not(:modal)')?.close();
});

// A tab in the background paints nothing until somebody looks at it.
if (document.hidden) start();
else requestAnimationFrame(() => setTimeout(start));
