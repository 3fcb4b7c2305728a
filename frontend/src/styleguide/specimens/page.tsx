import { JumpBar } from '@/shared/ui/jump-bar';
import { Button, Page, Prose, Status } from '@/shared/ui/page';
import { TextPage } from '@/shared/ui/page/text-page';
import { Section } from '@/shared/ui/section';
import { ShareLink } from '@/shared/ui/share-link';
import { Wordmark } from '@/shared/ui/wordmark';
import styles from '../guide.module.css';
import { html, sampleText } from '../samples';
import type { Specimen } from '../specimen';

/** Parts of pages. */
export const page: Specimen[] = [
  {
    name: 'Button',
    of: Button,
    file: 'shared/ui/page/button.tsx',
    states: {
      strong: () => <Button href="#button">Submit a film</Button>,
      quiet: () => (
        <Button href="#button" kind="quiet">
          All films
        </Button>
      ),
      long: () => <Button href="#button">{sampleText.long}</Button>,
      malayalam: () => (
        <Button href="#button" lang="ml">
          {sampleText.longMalayalam}
        </Button>
      ),
    },
  },
  {
    name: 'Status',
    of: Status,
    file: 'shared/ui/page/status.tsx',
    states: {
      loading: () => <Status>Loading films...</Status>,
      empty: () => <Status>No films found in this category yet.</Status>,
      'empty, with a retry': () => <Status onRetry={() => {}}>Loading...</Status>,
      'all that a page has to say': () => <Status whole>Nothing has been published here yet.</Status>,
      failed: () => (
        <Status kind="error" onRetry={() => {}}>
          Failed to load films for {sampleText.longMalayalam}
        </Status>
      ),
    },
  },
  {
    name: 'ShareLink',
    of: ShareLink,
    file: 'shared/ui/share-link.tsx',
    states: { any: () => <ShareLink path="/films/1?film=1" title={sampleText.longMalayalam} what="film" /> },
  },
  {
    name: 'Wordmark',
    of: Wordmark,
    file: 'shared/ui/wordmark.tsx',
    states: { any: () => <Wordmark /> },
  },
  {
    name: 'Page',
    of: Page,
    file: 'shared/ui/page/page.tsx',
    wide: true,
    on: ['paper', 'night'],
    states: {
      full: (surface) => (
        <Page
          title="Films"
          malayalam="ചിത്രങ്ങൾ"
          lead="What the jury saw."
          surface={surface === 'night' ? 'night' : 'paper'}
        >
          <p>Content</p>
        </Page>
      ),
      'long words': (surface) => (
        <Page title={sampleText.unbroken} lead={sampleText.long} surface={surface === 'night' ? 'night' : 'paper'}>
          <p>Content</p>
        </Page>
      ),
      malayalam: (surface) => (
        <Page
          title={<span lang="ml">{sampleText.longMalayalam}</span>}
          surface={surface === 'night' ? 'night' : 'paper'}
        >
          <p>Content</p>
        </Page>
      ),
    },
  },
  {
    name: 'Section',
    of: Section,
    file: 'shared/ui/section.tsx',
    wide: true,
    states: {
      plain: (surface) => (
        <Section id={`section-${surface}`} title={`Venues on ${surface}`} surface={surface}>
          <p>Content</p>
        </Section>
      ),
      slanted: (surface) => (
        <Section
          id={`section-slanted-${surface}`}
          title={`On ${surface}: ${sampleText.long}`}
          malayalam={sampleText.longMalayalam}
          surface={surface}
          slant="right"
        >
          <p>Content</p>
        </Section>
      ),
    },
  },
  {
    name: 'Prose',
    of: Prose,
    file: 'shared/ui/page/prose.tsx',
    wide: true,
    states: {
      'headings beside the text': () => <Prose of={html} asideHeadings />,
      'in a column': () => (
        <div className={styles.column}>
          <Prose of={html} />
        </div>
      ),
    },
  },
  {
    name: 'TextPage',
    of: TextPage,
    file: 'shared/ui/page/text-page.tsx',
    wide: true,
    on: ['paper'],
    states: {
      failed: () => <TextPage slug="not-there" title="About" />,
    },
  },
  {
    name: 'JumpBar',
    of: JumpBar,
    file: 'shared/ui/jump-bar.tsx',
    on: ['night'],
    wide: true,
    states: {
      sections: () => (
        <JumpBar
          label="Sections"
          places={[sampleText.usual, sampleText.malayalam, sampleText.long].map((name, at) => ({
            id: ['JumpBar', 'Type', 'Malayalam'][at] ?? '',
            name,
            count: 7 * at,
          }))}
        />
      ),
    },
  },
];
