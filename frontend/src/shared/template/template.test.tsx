import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { choose, Each, Html, When } from '.';
import { apiSource, expression, printWith, resolveTokens } from './expression';

interface Item {
  id: number;
  name: string;
  href: string | null;
  tags: string[];
}

const items = expression<Item[]>('(api "/items/")');

/** What the build prints. */
function print(render: () => React.ReactNode): string {
  return printWith(() => resolveTokens(renderToStaticMarkup(render())));
}

describe('in the build', () => {
  it('prints a value as text, as attribute and inside a string', () => {
    const item = expression<Item>('item');
    expect(
      print(() => (
        <a title={item.name} href={`/x/${item.id}`}>
          {item.name}
        </a>
      )),
    ).toBe('<a title="{{item.name}}" href="/x/{{item.id}}">{{item.name}}</a>');
  });

  it('looks properties of an answer up, quotes unescaped', () => {
    const site = expression<{ product: { name: string } }>('(api "/site/")');
    expect(print(() => <p>{site.product.name}</p>)).toBe('<p>{{lookup (lookup (api "/site/") "product") "name"}}</p>');
    expect(print(() => <p>{items[0]?.name}</p>)).toBe('<p>{{lookup (lookup (api "/items/") 0) "name"}}</p>');
  });

  it('prints lists with a name of their own each', () => {
    const html = print(() => (
      <Each of={items} as="thing" empty="none">
        {(item) => <Each of={item.tags}>{(tag) => <i>{tag}</i>}</Each>}
      </Each>
    ));
    expect(html).toBe(
      '{{#each (api "/items/") as |thing_1|}}{{#each thing_1.tags as |item_2|}}<i>{{item_2}}</i>{{/each}}{{else}}none{{/each}}',
    );
  });

  it('prints conditions', () => {
    const item = expression<Item>('item');
    const html = print(() => (
      <When value={item.href} otherwise={<b />}>
        {(href) => <a href={href}>x</a>}
      </When>
    ));
    expect(html).toBe('{{#if item.href}}<a href="{{item.href}}">x</a>{{else}}<b></b>{{/if}}');
    expect(print(() => <p title={choose(item.href, 'yes', 'no')} />)).toBe(
      '<p title="{{#if item.href}}yes{{else}}no{{/if}}"></p>',
    );
  });

  it('prints sanitised HTML unescaped', () => {
    expect(print(() => <Html of={expression<string>('blog.content')} />)).toBe('<div>{{{blog.content}}}</div>');
  });

  it('refuses to compute and refuses braces of the page itself', () => {
    const count = expression<number>('count');
    expect(() => print(() => <p>{Number(count) + 1}</p>)).toThrow('computing on count');
    expect(() => print(() => <p>{'{{z}}'}</p>)).toThrow('"{{"');
  });

  it('joins keys that hold expressions', () => {
    const id = expression<string>('@root.params.id');
    expect(printWith(() => apiSource(`/categories/${id}/films/`))).toBe(
      '(api "/categories/" @root.params.id "/films/")',
    );
  });
});

describe('in the browser', () => {
  it('takes for empty what Handlebars takes for empty', () => {
    for (const value of [null, undefined, '', 0, false, []]) {
      expect(
        renderToStaticMarkup(
          <When value={value} otherwise="no">
            yes
          </When>,
        ),
      ).toBe('no');
    }
    for (const value of ['0', 1, [0]]) {
      expect(
        renderToStaticMarkup(
          <When value={value} otherwise="no">
            yes
          </When>,
        ),
      ).toBe('yes');
    }
  });

  it('maps lists and shows the empty one', () => {
    const show = (list: string[] | null) =>
      renderToStaticMarkup(
        <Each of={list} empty="none">
          {(text) => <i>{text}</i>}
        </Each>,
      );
    expect(show(['a', '<b>'])).toBe('<i>a</i><i>&lt;b&gt;</i>');
    expect(show([])).toBe('none');
    expect(show(null)).toBe('none');
  });
});
