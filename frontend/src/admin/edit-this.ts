/** On the site, for users who are signed in to the back office: a link from the page to the screen that edits it. */
const link = document.createElement('a');
link.textContent = 'Edit this page';
link.href = '/admin/edit';
// Pages change without loading a document, so the address is read when the link is used.
const setAddress = () => {
  link.href = `/admin/edit?page=${encodeURIComponent(location.pathname + location.search)}`;
};
for (const name of ['pointerdown', 'focus', 'click']) link.addEventListener(name, setAddress);

const styles = new CSSStyleSheet();
styles.replaceSync(`
  .edit-this { position: fixed; inset: auto auto 1rem 1rem; z-index: 50; }
  .edit-this a {
    display: block; padding: 0.7rem 1.1rem; border-radius: 99rem;
    background: #fff; color: #111; font: 600 0.9rem/1.2 system-ui, sans-serif; text-decoration: none;
    box-shadow: 0 0.1rem 0.6rem rgb(0 0 0 / 0.4);
  }
  .edit-this a:focus-visible { outline: 3px solid #ffb000; outline-offset: 2px; }
  @media print { .edit-this { display: none; } }
`);
document.adoptedStyleSheets.push(styles);
const aside = document.createElement('aside');
aside.className = 'edit-this';
aside.setAttribute('aria-label', 'Back office');
aside.append(link);
document.body.append(aside);
