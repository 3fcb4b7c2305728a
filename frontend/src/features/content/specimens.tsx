import { blog, sampleText } from '@/styleguide/samples';
import type { Specimen } from '@/styleguide/specimen';
import { BlogCard } from './components/blog-card';

/** The cards of blogs. */
export const specimens: Specimen[] = [
  {
    name: 'BlogCard',
    of: BlogCard,
    file: 'features/content/components/blog-card.tsx',
    states: {
      full: () => <BlogCard blog={blog} />,
      'no picture, in Malayalam': () => (
        <BlogCard
          blog={{
            ...blog,
            title: sampleText.longMalayalam,
            excerpt: Array(9).fill(sampleText.longMalayalam).join(' '),
            image: null,
          }}
        />
      ),
    },
  },
];
